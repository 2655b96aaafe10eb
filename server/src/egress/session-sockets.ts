import type { Socket } from 'node:net';
import { openFileLimits } from '../platform/process/proc.js';
import { FairShare, type Portion } from './fair-share.js';
import { EgressRefusal } from './guard.js';

/**
 * Maximum number of sockets of one session, to its browser and to hosts. A browser opens at most 99
 * connections for pages and 255 for WebSockets.
 */
export const MAX_SOCKETS = 1_024;
/**
 * Part of the process's file descriptors that sockets may use. The rest is for name lookups, listeners, proxy
 * scripts and the process itself.
 */
const SOCKET_SHARE = 0.75;
/** Usual limit of a process's file descriptors. Used if the system does not report the limit. */
const USUAL_LIMIT = 1_024;

/**
 * Returns a {@link FairShare} of the sockets that this process may have open at the same time. All sessions
 * share them.
 *
 * @param limits content of `/proc/self/limits`. The soft limit is used. Node raises it to the hard limit at
 *   its start
 */
export function allSockets(limits?: string): FairShare {
  const limit = openFileLimits(limits).soft ?? USUAL_LIMIT;
  return new FairShare(Math.floor(limit * SOCKET_SHARE));
}

/** Counts the sockets of one session, so that the session cannot use the share of other sessions. */
export class SessionSockets {
  readonly #all: FairShare;
  readonly #portion: Portion = { open: 0 };
  readonly #open = new Set<Socket>();
  #closeIdle: () => void = () => undefined;

  constructor(all: FairShare) {
    this.#all = all;
  }

  /**
   * Sets the function that closes idle connections, which no request uses. Before this class refuses a
   * socket, it calls the function and tries again.
   */
  closeIdleBy(closeIdle: () => void): void {
    this.#closeIdle = closeIdle;
  }

  /** Counts a socket until it is closed. Returns false if the session already has its maximum. */
  take(socket: Socket): boolean {
    if (!this.#hasTaken()) {
      this.#closeIdle();
      if (!this.#hasTaken()) return false;
    }
    this.#open.add(socket);
    socket.once('close', () => this.#giveBack(socket));
    return true;
  }

  /**
   * Same as {@link take} for a socket before it connects. If the session already has its maximum, closes the
   * socket and throws {@link EgressRefusal}.
   */
  hold(socket: Socket): void {
    if (this.take(socket)) return;
    socket.destroy();
    throw new EgressRefusal('connections');
  }

  /** Closes a socket and no longer counts it. */
  drop(socket: Socket): void {
    socket.destroy();
    this.#giveBack(socket);
  }

  #hasTaken(): boolean {
    return this.#open.size < MAX_SOCKETS && this.#all.take(this.#portion);
  }

  #giveBack(socket: Socket): void {
    if (this.#open.delete(socket)) this.#all.giveBack(this.#portion);
  }
}
