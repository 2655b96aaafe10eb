import type { HttpProxy } from '../host-protocol.js';
import type { EgressProcess, ListenerHandle } from './egress-process.js';

/** What gives hosted browsers their network. */
export type Egress = Pick<EgressProcess, 'open'>;

/** One host's way out: opened when there are both a socket that its browser connects to and a session with its proxy. */
export class HostNetwork {
  readonly #egress: Egress;
  /** The socket that the browser connects to, until the egress process has it. */
  #listener: ListenerHandle | undefined;
  /** Undefined before there is a session. */
  #proxy: HttpProxy | null | undefined;
  #close: (() => void) | undefined;

  constructor(egress: Egress) {
    this.#egress = egress;
  }

  /** The host has opened the socket; a second one is none of its own. */
  takeListener(listener: ListenerHandle | undefined): void {
    this.#listener ??= listener;
    this.#open();
  }

  /** There is a session, whose requests go through this proxy; null: straight to their hosts. */
  setProxy(proxy: HttpProxy | null): void {
    this.#proxy = proxy;
    this.#open();
  }

  close(): void {
    if (this.#close) this.#close();
    else this.#listener?.close();
  }

  #open(): void {
    if (!this.#listener || this.#proxy === undefined || this.#close) return;
    this.#close = this.#egress.open(this.#listener, this.#proxy);
  }
}
