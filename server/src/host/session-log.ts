import type { FromHost } from '../host-protocol.js';
import type { ProcessExit } from '../platform/process/child-process.js';

/** Sends the log lines of one session to the service. */
export class SessionLog {
  constructor(
    private readonly sessionId: string,
    private readonly tell: (message: FromHost) => void,
  ) {}

  write(level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    this.tell({ type: 'log', level, message, fields: { session: this.sessionId, ...fields } });
  }

  warn(message: string, fields: Record<string, unknown> = {}): void {
    this.write('warn', message, fields);
  }

  /** Logs that a program has ended unexpectedly and is started again. */
  programEnded({ name, ...fields }: ProcessExit): void {
    this.warn(`${name} ended; starting again`, fields);
  }
}

/** Returns the message of an error, or the text of any other thrown value. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
