import {
  decodeClipboardChunk,
  decodeHostMessage,
  decodePacket,
  decodeSoundPacket,
  encodeControl,
  isClipboardChunk,
  isFramePart,
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
} from '../../protocol/index.js';
import { FrameOrder } from './frame-order.js';
import { Heartbeat } from './heartbeat.js';
import { SecondConnection } from './second-connection.js';
import type { CreateSocket, SocketLike } from './socket.js';
import type { Timers } from '../timers.js';

/**
 * Timeout from opening a socket to the host's welcome, in milliseconds. A slow network needs seconds. A host
 * that answers later counts as unreachable.
 */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** The end of one link. Without a reason, the connection was lost, and another attempt may succeed. */
export interface LinkEnd {
  reason?: DisconnectReason;
  message: string;
}

/** Options of a link. */
export interface LinkOptions {
  url: string;
  hello: Omit<Hello, 'type' | 'version'>;
  createSocket: CreateSocket;
  timers: Timers;
}

/** Receives the messages and the end of a link. Not called after `onEnd` or {@link Link.close}. */
export interface LinkListener {
  onWelcome(welcome: Welcome): void;
  onMessage(message: Exclude<HostMessage, Welcome>): void;
  onPacket(packet: MediaPacket): void;
  onSound(packet: SoundPacket): void;
  onChunk(chunk: ClipboardChunk): void;
  onRoundTrip(milliseconds: number): void;
  /** The oldest ping has been unanswered for this many milliseconds. */
  onOverdue(milliseconds: number): void;
  /** A message of the host could not be decoded or handled. The link skips the message. */
  onError(error: Error): void;
  onEnd(end: LinkEnd): void;
}

/**
 * One socket to the session host, from opening it to its end. A link never reconnects. Instead, the
 * `Connection` opens another link.
 */
export class Link {
  readonly #handshake: unknown;
  #socket: SocketLike | undefined;
  #heartbeat: Heartbeat | undefined;
  #second: SecondConnection | undefined;
  readonly #frames = new FrameOrder(
    (packet) => this.listener.onPacket(decodePacket(packet)),
    () => this.#closeSecond(),
    () => this.options.timers.now(),
  );
  #ended = false;

  /** Throws the errors of `createSocket`. */
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

  /** Sends a control message. Does nothing after the link has ended. */
  send(message: ViewerMessage): void {
    this.sendRaw(encodeControl(message));
  }

  /** Sends an encoded message. Does nothing after the link has ended. */
  sendRaw(data: string | Uint8Array): void {
    if (!this.#ended) this.#socket?.send(data);
  }

  /** Sends an encoded input event, and a copy of it if there is a second connection. */
  sendInput(data: Uint8Array): void {
    this.sendRaw(data);
    this.#second?.send(data);
  }

  /**
   * Sends a ping that the host counts as activity. Resolves to the round trip in milliseconds. Returns
   * undefined before the welcome.
   */
  ping(): Promise<number> | undefined {
    return this.#heartbeat?.ping();
  }

  /** Ends the link without calling the listener. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.options.timers.clearTimeout(this.#handshake);
    this.#heartbeat?.stop();
    this.#closeSecond();
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
    this.#read(data, false);
  };

  #read(data: string | Uint8Array, isCopy: boolean): void {
    try {
      if (typeof data === 'string') this.#control(decodeHostMessage(data));
      else if (isSoundPacket(data)) this.listener.onSound(decodeSoundPacket(data));
      else if (isClipboardChunk(data)) this.listener.onChunk(decodeClipboardChunk(data));
      else if (isFramePart(data)) this.#frames.part(data, isCopy);
      else this.#frames.whole(data);
    } catch (error) {
      this.listener.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #control(message: HostMessage | undefined): void {
    if (message?.type === 'welcome') this.#welcomed(message);
    else if (message?.type === 'pong') this.#heartbeat?.pong(message.id);
    else if (message?.type === 'second-connection') this.#openSecond(message.key);
    else if (message) this.listener.onMessage(message);
  }

  #closeSecond(): void {
    this.#second?.close();
    this.#second = undefined;
  }

  #openSecond(key: string): void {
    this.#closeSecond();
    const { url, createSocket } = this.options;
    this.#second = new SecondConnection(url, key, createSocket, (bytes) => {
      if (!this.#ended && isFramePart(bytes)) this.#read(bytes, true);
    });
  }

  #welcomed(welcome: Welcome): void {
    if (this.#heartbeat) return;
    if (welcome.version !== PROTOCOL_VERSION) {
      this.#end({
        reason: 'unsupported',
        message: `The session uses protocol version ${welcome.version}, this client uses version ${PROTOCOL_VERSION}. Update the older one.`,
      });
      return;
    }
    this.options.timers.clearTimeout(this.#handshake);
    this.#heartbeat = new Heartbeat(this.options.timers, {
      sendPing: (id, active) => this.send(active ? { type: 'ping', id, active } : { type: 'ping', id }),
      onRoundTrip: (milliseconds) => this.listener.onRoundTrip(milliseconds),
      onOverdue: (milliseconds) => this.listener.onOverdue(milliseconds),
      onDead: () => this.#end({ message: 'The session does not answer any more.' }),
    });
    this.listener.onWelcome(welcome);
  }
}
