import { once } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';
import WebSocket from 'ws';
import { socketUrl } from '../../../src/core/connection/socket.js';
import {
  decodeHostMessage,
  decodePacket,
  decodeSoundPacket,
  encodeControl,
  encodeInput,
  isSoundPacket,
  PROTOCOL_VERSION,
  reasonOfCloseCode,
  SUBPROTOCOL,
  type CallAnswer,
  type CloseWarning,
  type Hello,
  type HostMessage,
  type InputEvent,
  type MediaPacket,
  type SoundPacket,
  type ViewerMessage,
  type Welcome,
} from '../../../src/protocol/index.js';
import { atEnd } from './cleanup.js';
import type { Session } from './service.js';
import { until } from './until.js';

const PING_INTERVAL_MS = 1_000;

/** The record of a media packet, without its payload. */
type PacketNote = Omit<MediaPacket, 'payload'> & { bytes: number; at: number };

/**
 * A viewer without a canvas: it speaks the protocol over a plain WebSocket, and acknowledges and records
 * every packet.
 */
export class RawViewer {
  readonly packets: PacketNote[] = [];
  readonly sounds: SoundPacket[] = [];
  readonly messages: HostMessage[] = [];
  /** The warnings about the end of the session, each with its time by `performance.now()`. */
  readonly warnings: (CloseWarning & { at: number })[] = [];
  /** Close code, reason and time of the connection. */
  closed: { code: number; reason: string | undefined; message: string; at: number } | undefined;
  /** Called with each packet of the picture. */
  onPacket: ((packet: MediaPacket) => void) | undefined;
  readonly #pings: NodeJS.Timeout;
  #calls = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data, binary) => this.#take(data as Buffer, binary));
    socket.on('close', (code, reason) => {
      const said = { code, reason: reasonOfCloseCode(code), message: reason.toString() };
      this.closed = { ...said, at: performance.now() };
      clearInterval(this.#pings);
    });
    this.#pings = setInterval(() => socket.send(encodeControl({ type: 'ping', id: 1 })), PING_INTERVAL_MS);
    atEnd(() => this.close());
  }

  static async open(session: Pick<Session, 'embed_url'>): Promise<RawViewer> {
    const viewer = await RawViewer.knock(session);
    if (!viewer.welcome) throw new Error(`The viewer was sent away: ${JSON.stringify(viewer.closed)}.`);
    return viewer;
  }

  /**
   * Resolves when the host has accepted or refused the viewer.
   *
   * @param silence milliseconds for which it says nothing once it is connected
   */
  static async knock(
    session: Pick<Session, 'embed_url'>,
    hello: Partial<Hello> = {},
    silence = 0,
  ): Promise<RawViewer> {
    const socket = new WebSocket(socketUrl(session.embed_url), SUBPROTOCOL);
    await once(socket, 'open');
    // Neither side sends anything before the hello.
    if (silence > 0) await pass(silence);
    const viewer = new RawViewer(socket);
    socket.send(encodeControl({ type: 'hello', version: PROTOCOL_VERSION, media: ['h264'], ...hello }));
    await until('the host welcomes the viewer', () => viewer.welcome ?? viewer.closed);
    return viewer;
  }

  get welcome(): Welcome | undefined {
    return this.messages.find((message) => message.type === 'welcome');
  }

  send(event: InputEvent): void {
    this.socket.send(encodeInput(event));
  }

  /** Sends any message of the protocol. */
  say(message: ViewerMessage): void {
    this.socket.send(encodeControl(message));
  }

  /** Calls a method; resolves to the answer, whatever it is. */
  call(method: string, ...args: unknown[]): Promise<CallAnswer> {
    return this.callWith(undefined, method, ...args);
  }

  /** As {@link call}, with a token as the token of an admin. */
  async callWith(adminToken: string | undefined, method: string, ...args: unknown[]): Promise<CallAnswer> {
    const id = ++this.#calls;
    // The host checks the arguments of the session's methods.
    this.socket.send(JSON.stringify({ type: 'call', id, method, args, adminToken }));
    return until(`${method} is answered`, () =>
      this.messages.find((message): message is CallAnswer => message.type === 'answer' && message.id === id),
    );
  }

  /** Turns sound on or off. */
  listen(on: boolean): void {
    this.say({ type: 'sound', on });
  }

  close(): void {
    clearInterval(this.#pings);
    this.socket.terminate();
  }

  #take(data: Buffer, binary: boolean): void {
    if (!binary) {
      const message = decodeHostMessage(data.toString('utf8'));
      if (message) this.messages.push(message);
      if (message?.type === 'close-warning') this.warnings.push({ ...message, at: performance.now() });
      return;
    }
    if (isSoundPacket(data)) {
      this.sounds.push(decodeSoundPacket(data));
      return;
    }
    const { payload, ...packet } = decodePacket(data);
    this.onPacket?.({ ...packet, payload });
    this.packets.push({ ...packet, bytes: payload.length, at: performance.now() });
    this.socket.send(encodeInput({ type: 'ack', stream: packet.stream, frame: packet.frame }));
  }
}
