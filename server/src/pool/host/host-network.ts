import type { HttpProxy } from '../../host-protocol.js';
import type { EgressProcess, ListenerHandle, NetworkInterruption } from '../egress-process.js';

/** Connects hosted browsers to the network. */
export type Egress = Pick<EgressProcess, 'open'>;

/** Network of one host. It opens once the host's socket and the session's proxy setting are both known. */
export class HostNetwork {
  readonly #egress: Egress;
  /** The socket that the browser connects to. The egress process owns it as soon as `#close` is set. */
  #listener: ListenerHandle | undefined;
  /** Undefined while the host has no session. */
  #proxy: HttpProxy | null | undefined;
  #close: (() => void) | undefined;
  #closed = false;

  /** @param onInterrupted called when the network of the session was interrupted */
  constructor(
    egress: Egress,
    private readonly onInterrupted: (interruption: NetworkInterruption) => void,
  ) {
    this.#egress = egress;
  }

  /**
   * Takes the socket that the host has opened. Closes a second socket. Also closes a socket that arrives
   * after {@link close}, because messages of a process can arrive after its exit.
   */
  takeListener(listener: ListenerHandle | undefined): void {
    if (this.#closed || this.#listener) listener?.close();
    else this.#listener = listener;
    this.#open();
  }

  /** Sets the proxy of the session's requests. Null: requests go directly to the web servers. */
  setProxy(proxy: HttpProxy | null): void {
    this.#proxy = proxy;
    this.#open();
  }

  close(): void {
    this.#closed = true;
    if (this.#close) this.#close();
    else this.#listener?.close();
  }

  #open(): void {
    if (this.#closed || !this.#listener || this.#proxy === undefined || this.#close) return;
    this.#close = this.#egress.open(this.#listener, this.#proxy, this.onInterrupted);
  }
}
