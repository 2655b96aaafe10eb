import { randomBytes } from 'node:crypto';
import {
  decodeInput,
  encodeFrameParts,
  ProtocolError,
  type HostMessage,
  type InputEvent,
} from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import type { LineMeter } from '../../stream/line-meter.js';
import { countPings, FloodGuard } from './flood-guard.js';
import { bytesOf } from '../handshake.js';

/**
 * Largest frame that is copied to the second connection: its bytes, and the time that the line (the viewer's
 * network) needs to transmit it. The maximum time is `time` milliseconds, or `share` of the round trip if
 * that is longer. A larger copy would delay the next frame by more time than it saves.
 */
const MAX_FRAME = { bytes: 32 * 1024, time: 20, share: 0.25 };
/** Maximum share of the line's rate that copies use on average. */
const SHARE = 0.5;
/**
 * If the line needs more than this time to transmit the copies that were already sent, further frames are not
 * copied. Milliseconds.
 */
const BUSY_MS = 100;
/** Unsent bytes of the second connection above which it gets no copies. */
const MAX_BUFFERED_BYTES = 16 * 1024;
/**
 * Minimum time between two offers of a second connection, milliseconds. It is long because the viewer's
 * network may refuse second connections, or because the last one may have been of no use to the viewer.
 */
const OFFER_MS = 600_000;
/** Time for which the key of an offer admits a connection, milliseconds. */
const KEY_MS = 30_000;

type Socket = Pick<
  WebSocket,
  'send' | 'on' | 'off' | 'once' | 'terminate' | 'readyState' | 'OPEN' | 'bufferedAmount'
>;

/** An input event that may arrive as a copy. */
type CopiedEvent = Exclude<InputEvent, { type: 'ack' | 'paste' }>;

/** Parts of a viewer's first connection that {@link SecondConnection} uses. */
export interface FirstConnection {
  send(message: HostMessage): void;
  sendBytes(bytes: Uint8Array): void;
  line: Pick<LineMeter, 'isDistant' | 'isLossy' | 'rate' | 'roundTrip' | 'sent'>;
}

/**
 * A second connection of a viewer whose line loses packets. A lost packet stops all data behind it on its TCP
 * connection until TCP has repeated the packet. Both connections seldom lose packets at the same time. So the
 * host sends the parts of a frame on both connections: on the first one in order, on the second one in
 * reverse order. The viewer uses the copy of a part that arrives first. So even if both connections are slow,
 * each must deliver only about half of the parts.
 */
export class SecondConnection {
  #socket: Socket | undefined;
  #key: string | undefined;
  #offeredAt = -Infinity;
  /** Number of frames that were sent on the first connection. */
  #sequence = 0;
  #stream: number | undefined;
  /**
   * Time at which the line has transmitted all copies, calculated as if they used only {@link SHARE} of its
   * rate.
   */
  #freeAt = -Infinity;
  /** Numbers of the newest input event of either connection, and of the newest copy that was used. */
  #inputSeq = 0;
  #copiedSeq = 0;

  /** @param isSupported true if the viewer can open a second connection */
  constructor(
    private readonly first: FirstConnection,
    private readonly isSupported: boolean,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** Sends a media packet on the first connection, with copies on the second one if that helps. */
  sendFrame(stream: number, packet: Uint8Array): void {
    const { first } = this;
    const sequence = this.#sequence++;
    // The description of a stream is sent on the first connection. The first frame of the stream must not
    // arrive before the description.
    const isFirst = stream !== this.#stream;
    this.#stream = stream;
    this.#offer();
    const socket = isFirst ? undefined : this.#socketFor(packet.byteLength);
    if (!socket) return first.sendBytes(packet);
    // Counts the bytes of the copy too, because both connections share the line.
    first.line.sent(packet.byteLength);
    const parts = encodeFrameParts(sequence, packet);
    for (const [index, part] of parts.entries()) {
      first.sendBytes(part);
      const copy = parts[parts.length - 1 - index];
      if (copy) socket.send(copy);
    }
  }

  /** True if this key was offered to the viewer within {@link KEY_MS}, and was not used yet. */
  admits(key: string): boolean {
    return this.#key === key && this.clock.now() - this.#offeredAt < KEY_MS;
  }

  /**
   * Uses an accepted connection.
   *
   * @param onInput receives an input event that has not arrived on the first connection. Returns false if the
   * event must wait until it arrives on the first connection
   */
  join(socket: Socket, onInput: (event: CopiedEvent) => boolean): void {
    this.#key = undefined;
    this.#socket?.terminate();
    this.#socket = socket;
    const guard = new FloodGuard();
    countPings(socket, guard, () => socket.terminate());
    socket.on('message', (data, binary) => {
      const bytes = bytesOf(data);
      if (this.#socket !== socket) return;
      if (!binary || !guard.takes(bytes.length, true)) return socket.terminate();
      try {
        const event = decodeInput(bytes);
        if (event.type === 'ack' || event.type === 'paste' || event.seq !== this.#inputSeq + 1) return;
        if (onInput(event)) this.#inputSeq = this.#copiedSeq = event.seq;
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        socket.terminate();
      }
    });
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
  }

  /** Records an input event of the first connection. Returns false if its copy was already used. */
  takesInput(seq: number): boolean {
    if (seq <= this.#copiedSeq) return false;
    this.#inputSeq = seq;
    return true;
  }

  close(): void {
    this.#key = undefined;
    this.#socket?.terminate();
    this.#socket = undefined;
  }

  #offer(): void {
    const { isDistant, isLossy } = this.first.line;
    const now = this.clock.now();
    if (this.#socket || !this.isSupported || !isDistant || !isLossy) return;
    if (now - this.#offeredAt < OFFER_MS) return;
    this.#offeredAt = now;
    this.#key = randomBytes(16).toString('base64url');
    this.first.send({ type: 'second-connection', key: this.#key });
  }

  /** Returns the second connection if it should get copies of a frame of this size. */
  #socketFor(bytes: number): Socket | undefined {
    const socket = this.#socket;
    const { line } = this.first;
    if (!socket || socket.readyState !== socket.OPEN || !line.isLossy) return undefined;
    const time = Math.max(MAX_FRAME.time, line.roundTrip * MAX_FRAME.share);
    if (bytes > MAX_FRAME.bytes || bytes > line.rate * time) return undefined;
    const now = this.clock.now();
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES || this.#freeAt > now + BUSY_MS) return undefined;
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / (line.rate * SHARE);
    return socket;
  }
}
