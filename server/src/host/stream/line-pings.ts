import type { WebSocket } from 'ws';
import type { LineMeter } from './line-meter.js';

/** Time between two measurements of a line that is near or not known yet, milliseconds. */
const RARE_MS = 500;
/** Minimum time between two measurements of a distant line while the frames are small. Milliseconds. */
const SMALL_FRAMES_MS = 100;
/**
 * A distant or unknown line is measured after each frame of at least this many bytes, without a minimum
 * pause.
 */
const LARGE_BYTES = 4_000;
/**
 * Milliseconds after a frame at which a distant viewer gets a tiny message as a probe. If the last packet of
 * the frame was lost, TCP notices the loss when a later packet arrives (RACK). Without a later packet, TCP
 * waits for a timeout of about two round trips.
 */
const PROBES_MS = [8, 25] as const;
/**
 * If the previous frame was sent less than this time ago, the first probe is left out. The next frame
 * probably follows soon and serves as a probe. Milliseconds.
 */
const MOVEMENT_MS = 40;
/** Times after a frame, in milliseconds, at which the round trip is measured if it is not certain yet. */
const ROUND_TRIP_MS = [300, 600, 900] as const;
/** Length of the number in a ping, in bytes. */
const ID_BYTES = 4;

/** Functions of a WebSocket that {@link LinePings} uses. */
export interface PingSocket {
  readonly readyState: WebSocket['readyState'];
  readonly OPEN: WebSocket['OPEN'];
  ping(data: Buffer, mask: boolean, done: () => void): void;
  on(event: 'pong', listener: (data: Buffer) => void): unknown;
}

/**
 * Sends pings of the WebSocket protocol after frames, to measure a viewer's line and to find lost packets.
 */
export class LinePings {
  #pingedAt = -Infinity;
  #frameAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly line: LineMeter,
    private readonly socket: PingSocket,
    private readonly now: () => number = () => performance.now(),
  ) {
    socket.on('pong', (data: Buffer) => {
      if (data.length === ID_BYTES) line.ponged(data.readUInt32BE());
    });
  }

  /** Measures the round trip before the first frame, while nothing else is on the line. */
  start(): void {
    this.#ping();
  }

  /** Call it right after a frame of this size was sent. */
  frameSent(bytes: number): void {
    const now = this.now();
    const gap = now - this.#frameAt;
    this.#frameAt = now;
    if (now - this.#pingedAt >= this.#pauseFor(bytes)) this.#ping();
    clearTimeout(this.#timer);
    if (!this.line.isDistant) return;
    const probes = gap < MOVEMENT_MS ? PROBES_MS.slice(1) : PROBES_MS;
    this.#probe(this.line.isCertain ? probes : [...probes, ...ROUND_TRIP_MS], 0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Returns the minimum milliseconds between the previous ping and a ping after a frame of this size. */
  #pauseFor(bytes: number): number {
    const { isDistant, roundTrip } = this.line;
    // The first picture is large, so its ping shows the line's rate before the next picture is sent.
    if (bytes >= LARGE_BYTES && (isDistant || roundTrip === Infinity)) return 0;
    return isDistant ? SMALL_FRAMES_MS : RARE_MS;
  }

  /** Sends the probes at these times, one after the other. */
  #probe([at, ...later]: readonly number[], before: number): void {
    if (at === undefined) return;
    this.#timer = setTimeout(() => {
      this.#ping();
      this.#probe(later, at);
    }, at - before);
  }

  #ping(): void {
    if (this.#closed || this.socket.readyState !== this.socket.OPEN) return;
    const id = this.line.ping();
    if (id === undefined) return;
    this.#pingedAt = this.now();
    const data = Buffer.allocUnsafe(ID_BYTES);
    data.writeUInt32BE(id);
    // An error ends the socket. The owner of the socket handles that.
    this.socket.ping(data, false, () => undefined);
  }
}
