import { encodePacketHeader, type MediaPacket } from '../../../src/protocol/index.js';
import { FakeHost, type FakeConnection } from '../../fakes/fake-host.js';

type Opened = (connection: FakeConnection) => void;

/** Puts a {@link FakeHost} behind the page's WebSocket, for code that creates its client itself. */
export class FakeNetwork {
  readonly host = new FakeHost();
  readonly #original = globalThis.WebSocket;
  #opened: Opened[] = [];

  constructor() {
    const connect = (url: string, subprotocol: string, socket: FakeWebSocket) => {
      const connection = this.host.createSocket(url, subprotocol, {
        onOpen: () => socket.onopen?.(),
        onMessage: (data) =>
          socket.onmessage?.({ data: typeof data === 'string' ? data : data.slice().buffer }),
        onClose: (code, reason) => socket.onclose?.({ code, reason }),
      });
      const opened = this.#opened;
      this.#opened = [];
      for (const each of opened) each(this.host.last);
      return connection;
    };
    const Fake = class extends FakeWebSocket {
      constructor(url: string, subprotocol: string) {
        super();
        Object.assign(this, connect(url, subprotocol, this));
      }
    };
    globalThis.WebSocket = Fake as unknown as typeof WebSocket;
  }

  /** The next connection that a client opens. */
  opened(): Promise<FakeConnection> {
    return new Promise((resolve) => this.#opened.push(resolve));
  }

  restore(): void {
    globalThis.WebSocket = this.#original;
  }
}

class FakeWebSocket {
  static readonly OPEN = 1;
  readonly readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
}

/** Sends a media packet from the host. */
export function sendPacket(connection: FakeConnection, packet: MediaPacket): void {
  const header = encodePacketHeader(packet);
  const bytes = new Uint8Array(header.length + packet.payload.length);
  bytes.set(header);
  bytes.set(packet.payload, header.length);
  connection.listener.onMessage(bytes);
}
