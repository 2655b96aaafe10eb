import {
  decodeClipboardChunk,
  decodeHostMessage,
  decodePacket,
  decodeSoundPacket,
  encodeControl,
  isClipboardChunk,
  isSoundPacket,
  PROTOCOL_VERSION,
  reasonOfCloseCode,
  SUBPROTOCOL,
  type ClipboardChunk,
  type DisconnectReason,
  type Hello,
  type HostMessage,
  type MediaPacket,
  type SoundPacket,
  type ViewerMessage,
  type Welcome,
} from '../protocol/index.js';
import { Heartbeat } from './heartbeat.js';
import type { CreateSocket, SocketLike } from './socket.js';
import type { Timers } from './timers.js';

/** From opening a socket to the host's welcome: a slow network needs seconds, a host that answers later is of no use. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** How one connection ended. Without a reason it was merely lost, and another attempt may succeed. */
export interface LinkEnd {
  reason?: DisconnectReason;
  message: string;
}

/** What a link is made of. */
export interface LinkOptions {
  url: string;
  hello: Omit<Hello, 'type' | 'version'>;
  createSocket: CreateSocket;
  timers: Timers;
}

/** Where a link reports to; silent after `onEnd` and after {@link Link.close}. */
export interface LinkListener {
  onWelcome(welcome: Welcome): void;
  onMessage(message: Exclude<HostMessage, Welcome>): void;
  onPacket(packet: MediaPacket): void;
  onSound(packet: SoundPacket): void;
  onChunk(chunk: ClipboardChunk): void;
  onRoundTrip(milliseconds: number): void;
  /** No round trip was measured for so many milliseconds: a ping is unanswered. */
  onOverdue(milliseconds: number): void;
  /** A message of the host could not be read; it is skipped. */
  onError(error: Error): void;
  onEnd(end: LinkEnd): void;
}

/** One socket to the session host, from opening it to its end. It never reconnects: that is the client's business. */
export class Link {
  readonly #handshake: unknown;
  #socket: SocketLike | undefined;
  #heartbeat: Heartbeat | undefined;
  #ended = false;

  /** Throws what `createSocket` throws. */
  constructor(
    private readonly options: LinkOptions,
    private readonly listener: LinkListener,
  ) {
    this.#handshake = options.timers.setTimeout(
      () => this.#end({ message: 'The session did not answer in time.' }),
      HANDSHAKE_TIMEOUT_MS,
    );
    try {
      this.#socket = options.createSocket(options.url, SUBPROTOCOL, {
        onOpen: () => this.send({ type: 'hello', version: PROTOCOL_VERSION, ...options.hello }),
        onMessage: this.#receive,
        onClose: (code, message) => this.#closed(code, message),
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Sends a control message; does nothing once the link is over. */
  send(message: ViewerMessage): void {
    this.sendRaw(encodeControl(message));
  }

  /** Sends an encoded message; does nothing once the link is over. */
  sendRaw(data: string | Uint8Array): void {
    if (!this.#ended) this.#socket?.send(data);
  }

  /** Asks the host to count this as activity; resolves to the round trip in milliseconds. Only after the welcome. */
  ping(): Promise<number> | undefined {
    return this.#heartbeat?.ping();
  }

  /** Ends the link without a report. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.options.timers.clearTimeout(this.#handshake);
    this.#heartbeat?.stop();
    this.#socket?.close();
  }

  #end(end: LinkEnd): void {
    if (this.#ended) return;
    this.close();
    this.listener.onEnd(end);
  }

  #closed(code: number, text: string): void {
    const reason = reasonOfCloseCode(code);
    if (reason) this.#end({ reason, message: text || `The session ended this connection (${reason}).` });
    else this.#end({ message: `The connection was lost (code ${code}).` });
  }

  readonly #receive = (data: string | Uint8Array): void => {
    if (this.#ended) return;
    this.#heartbeat?.heard();
    try {
      if (typeof data === 'string') this.#control(decodeHostMessage(data));
      else if (isSoundPacket(data)) this.listener.onSound(decodeSoundPacket(data));
      else if (isClipboardChunk(data)) this.listener.onChunk(decodeClipboardChunk(data));
      else this.listener.onPacket(decodePacket(data));
    } catch (error) {
      this.listener.onError(error instanceof Error ? error : new Error(String(error)));
    }
  };

  #control(message: HostMessage | undefined): void {
    if (message?.type === 'welcome') this.#welcomed(message);
    else if (message?.type === 'pong') this.#heartbeat?.pong(message.id);
    else if (message) this.listener.onMessage(message);
  }

  #welcomed(welcome: Welcome): void {
    if (this.#heartbeat) return;
    if (welcome.version !== PROTOCOL_VERSION) {
      this.#end({
        reason: 'unsupported',
        message: `The session speaks protocol version ${welcome.version}, this client ${PROTOCOL_VERSION}; update the older one.`,
      });
      return;
    }
    this.options.timers.clearTimeout(this.#handshake);
    this.#heartbeat = new Heartbeat(this.options.timers, {
      sendPing: (id, active) => this.send(active ? { type: 'ping', id, active } : { type: 'ping', id }),
      onRoundTrip: (milliseconds) => this.listener.onRoundTrip(milliseconds),
      onOverdue: (milliseconds) => this.listener.onOverdue(milliseconds),
      onDead: () => this.#end({ message: 'The session has gone silent.' }),
    });
    this.listener.onWelcome(welcome);
  }
}
