import type { Socket } from 'node:net';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { HostSession, ViewerHandover } from '../../server/src/host-protocol.js';
import type { Host, HostListener, HostPool } from '../../server/src/sessions/ports.js';

/** A host that runs nothing and remembers what it was asked. */
export class FakeHost implements Host {
  readonly viewers: { viewer: ViewerHandover; socket: Socket }[] = [];
  stopReason: ServerDisconnectReason | undefined;

  constructor(
    readonly session: HostSession,
    readonly listener: HostListener,
  ) {}

  attach(viewer: ViewerHandover, socket: Socket): void {
    this.viewers.push({ viewer, socket });
    socket.end();
  }

  stop(reason: ServerDisconnectReason): Promise<void> {
    this.stopReason ??= reason;
    this.listener.onEnded(this.stopReason, 'Stopped.');
    return Promise.resolve();
  }
}

/** Accepts every session, or fails with what a test sets. */
export class FakeHostPool implements HostPool {
  readonly hosts: FakeHost[] = [];
  failure: Error | undefined;
  /** When set, hosts accept only after it resolves. */
  gate: Promise<void> = Promise.resolve();

  async start(session: HostSession, listener: HostListener): Promise<Host> {
    await this.gate;
    if (this.failure) throw this.failure;
    const host = new FakeHost(session, listener);
    this.hosts.push(host);
    return host;
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop('ended')));
  }

  /** The host that was started last. */
  get last(): FakeHost {
    const host = this.hosts.at(-1);
    if (!host) throw new Error('No host was started.');
    return host;
  }
}
