import type { CreateSocket, SocketListener } from '../../src/core/connection/socket.js';
import {
  decodeClipboardChunk,
  decodeInput,
  decodeViewerMessage,
  encodeControl,
  isClipboardChunk,
  type HostMessage,
  type InputEvent,
  type ViewerMessage,
  type Welcome,
} from '../../src/protocol/index.js';

/** One socket of a {@link FakeHost}, seen from the host. */
export class FakeConnection {
  readonly messages: ViewerMessage[] = [];
  readonly inputs: InputEvent[] = [];
  /** Pieces of clipboard transfers. */
  readonly chunks: Uint8Array[] = [];
  closed = false;

  constructor(
    readonly url: string,
    readonly subprotocol: string,
    readonly listener: SocketListener,
  ) {}

  /** Accepts the socket; the client then sends its hello. */
  open(): void {
    this.listener.onOpen();
  }

  send(message: HostMessage): void {
    this.listener.onMessage(encodeControl(message));
  }

  /** Accepts the socket and welcomes the client. */
  welcome(fields: Partial<Welcome> = {}): void {
    this.open();
    const size = { width: 640, height: 480, fps: 60, maxArea: 640 * 480 };
    this.send({ type: 'welcome', version: 1, userId: 'user-1', secret: 'secret-1', ...size, ...fields });
  }

  /** The host closes with a code, or the network drops (1006). */
  close(code = 1006, message = ''): void {
    this.closed = true;
    this.listener.onClose(code, message);
  }

  /** Messages of one type. */
  of<Type extends ViewerMessage['type']>(type: Type): Extract<ViewerMessage, { type: Type }>[] {
    return this.messages.filter(
      (message): message is Extract<ViewerMessage, { type: Type }> => message.type === type,
    );
  }
}

/** A session host without network: hand its `createSocket` to a client. */
export class FakeHost {
  readonly connections: FakeConnection[] = [];

  readonly createSocket: CreateSocket = (url, subprotocol, listener) => {
    const connection = new FakeConnection(url, subprotocol, listener);
    this.connections.push(connection);
    return {
      send: (data) => {
        if (typeof data !== 'string') {
          if (isClipboardChunk(data)) connection.chunks.push(decodeClipboardChunk(data).payload);
          else connection.inputs.push(decodeInput(data));
        } else {
          const message = decodeViewerMessage(data);
          if (message) connection.messages.push(message);
        }
      },
      close: () => {
        connection.closed = true;
      },
    };
  };

  /** The newest connection. */
  get last(): FakeConnection {
    const connection = this.connections.at(-1);
    if (!connection) throw new Error('No client has connected yet.');
    return connection;
  }
}
