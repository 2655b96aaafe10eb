import type { HostSession } from '../../server/src/host-protocol.js';
import type { Host, HostListener, HostPool, ProfileTransfer } from '../../server/src/sessions/ports.js';
import { FakeHost, NOWHERE } from '../fakes/fake-host-pool.js';

/** Hosts that run nothing and are forgotten when their session is over. */
export class ChurnPool implements HostPool {
  readonly #hosts = new Map<string, FakeHost>();

  /** The number of hosts whose session is not over. */
  get size(): number {
    return this.#hosts.size;
  }

  async start(session: HostSession, profile: ProfileTransfer, listener: HostListener): Promise<Host> {
    await profile.load?.(NOWHERE);
    const { sessionId } = session;
    const forgetting: HostListener = {
      onStarted: (timings) => listener.onStarted(timings),
      onViewers: (count) => listener.onViewers(count),
      onArrived: (userId) => listener.onArrived(userId),
      onActivity: () => listener.onActivity(),
      onHandoff: (state) => listener.onHandoff(state),
      onAgentUse: (use) => listener.onAgentUse(use),
      onStandby: (standby) => listener.onStandby(standby),
      onAuthorize: (request) => listener.onAuthorize(request),
      onEnded: (reason, message) => {
        this.#hosts.delete(sessionId);
        listener.onEnded(reason, message);
      },
    };
    const host = new WatchedHost(session, profile, forgetting);
    this.#hosts.set(sessionId, host);
    queueMicrotask(() => forgetting.onStarted({}));
    return host;
  }

  /** Ends a session as if its host had been killed. */
  crash(sessionId: string): void {
    this.#hosts.get(sessionId)?.listener.onEnded('crashed', 'The host was killed.');
  }

  /** No killed service left anything. */
  recover(): void {}

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.stop('ended')));
  }
}

/** Reports its viewers like a real host. */
class WatchedHost extends FakeHost {
  override attach(...viewer: Parameters<FakeHost['attach']>): void {
    const [{ userId }, socket] = viewer;
    this.listener.onViewers(1);
    this.listener.onArrived(userId);
    this.listener.onActivity();
    socket.once('close', () => this.listener.onViewers(0));
    super.attach(...viewer);
  }
}
