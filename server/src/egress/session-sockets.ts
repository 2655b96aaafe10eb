import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { FairShare, type Portion } from './fair-share.js';
import { EgressRefusal } from './guard.js';

/** Sockets of one session, to its browser and to hosts: a browser opens at most 99 connections for pages and 255 for WebSockets. */
export const MAX_SOCKETS = 1_024;
/** What of a process's descriptors is for sockets. The rest is for names, listeners, proxy scripts and the process itself. */
const SOCKET_SHARE = 0.75;
/** When the system does not tell: the usual limit of a process. */
const USUAL_LIMIT = 1_024;

/**
 * The sockets that this process may have open at once, for all sessions.
 *
 * @param limits what /proc/self/limits says: Node has raised the soft limit to the hard one at its start
 */
export function allSockets(limits = readFileSync('/proc/self/limits', 'utf8')): FairShare {
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? USUAL_LIMIT);
  return new FairShare(Math.floor(limit * SOCKET_SHARE));
}

/** Counts one session's sockets, so that it takes none of the others' share. */
export class SessionSockets {
  readonly #all: FairShare;
  readonly #portion: Portion = { open: 0 };
  readonly #open = new Set<Socket>();

  constructor(all: FairShare) {
    this.#all = all;
  }

  /** Whether the session may have this socket, which then counts until it is closed. */
  take(socket: Socket): boolean {
    if (this.#open.size >= MAX_SOCKETS || !this.#all.take(this.#portion)) return false;
    this.#open.add(socket);
    socket.once('close', () => this.#giveBack(socket));
    return true;
  }

  /** The same, for a socket that is to connect. Closes it and throws {@link EgressRefusal} when the session may have no more. */
  hold(socket: Socket): void {
    if (this.take(socket)) return;
    socket.destroy();
    throw new EgressRefusal('connections');
  }

  /** Closes a socket, which does not count from here on. */
  drop(socket: Socket): void {
    socket.destroy();
    this.#giveBack(socket);
  }

  #giveBack(socket: Socket): void {
    if (this.#open.delete(socket)) this.#all.giveBack(this.#portion);
  }
}
