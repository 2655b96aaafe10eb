import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { AuthorizationAnswer } from '../../server/src/host-protocol.js';
import type { HostListener } from '../../server/src/sessions/ports.js';

/** Records the reports of a session host, so that a test can await them. */
export class RecordingListener implements HostListener {
  onStarted!: (timings: Record<string, number>) => void;
  onViewers!: (count: number) => void;
  onEnded!: (reason: ServerDisconnectReason, message: string) => void;

  readonly started = new Promise<Record<string, number>>((resolve) => (this.onStarted = resolve));
  readonly viewers = new Promise<number>((resolve) => (this.onViewers = resolve));
  readonly ended = new Promise<{ reason: ServerDisconnectReason; message: string }>((resolve) => {
    this.onEnded = (reason, message) => resolve({ reason, message });
  });

  onHandoff(): void {
    // Not recorded.
  }

  onAgentUse(): void {
    // Not recorded.
  }

  onStandby(): void {
    // Not recorded.
  }

  async onAuthorize(): Promise<AuthorizationAnswer> {
    return { granted: true, permissions: {} };
  }

  onArrived(): void {
    // Tests await viewers.
  }

  onActivity(): void {
    // Tests await the result.
  }
}
