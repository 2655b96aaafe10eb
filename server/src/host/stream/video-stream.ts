import type { MediaKind, StreamInfo } from 'cloud-browser/protocol';
import type { BitBudget } from './bit-budget.js';
import type { Encoder } from '../encode/encoder.js';
import type { FramePump } from './frame-pump.js';
import type { PumpedFrame, PumpSink } from './pump-output.js';
import type { Delivery } from './delivery.js';
import { StreamLine } from './stream-line.js';
import { TokenBucket } from '../../platform/rates/token-bucket.js';

/** Viewer connection of a stream. Receives packets, and reports if it can receive more. */
export interface StreamViewer {
  /** Format that the viewer uses. */
  readonly media: MediaKind;
  readonly delivery: Delivery;
  /** True if a frame can be sent now. */
  readonly ready: boolean;
  /**
   * Records that the screen is being read now. The next frame shows the effect of all input that the display
   * has received so far.
   */
  markCapture(): void;
  /** Sends the description of the packets that follow. */
  send(message: StreamInfo): void;
  /** Sends a frame, or records that this viewer has missed one. */
  sendFrame(kind: 'video' | 'image', stream: number, frame: PumpedFrame): void;
}

/** Minimum time between two key frames. So several viewers that catch up share one key frame. */
const KEY_FRAME_INTERVAL_MS = 250;
/**
 * Same as {@link KEY_FRAME_INTERVAL_MS}, for a viewer that has just joined and has no picture, as long as few
 * viewers join.
 */
const FIRST_KEY_FRAME_INTERVAL_MS = 60;
const FIRST_KEY_FRAMES = { perSecond: 1, burst: 8 };
/**
 * Same as {@link KEY_FRAME_INTERVAL_MS}, if more viewers join than {@link FIRST_KEY_FRAMES} allows. A key
 * frame uses the bits of several normal frames. With a shorter time, the key frames for a viewer that joins
 * again and again would use most bits of all viewers.
 */
const CROWDED_KEY_FRAME_INTERVAL_MS = 1_000;
/**
 * If a viewer requests a key frame and then acknowledges no frame for this long, its frames in flight count
 * as lost.
 */
const UNACKNOWLEDGED_MS = 1_000;
/**
 * Milliseconds after which a full line is checked again, see {@link Delivery.lineIsFull}. While TCP repeats a
 * packet, no answer may arrive that would wake the stream.
 */
const FULL_LINE_MS = 20;

/** One stream and its viewers. Each frame is encoded once and sent to all viewers that can take it. */
export class VideoStream implements PumpSink {
  readonly #viewers = new Set<StreamViewer>();
  readonly #first = new TokenBucket(FIRST_KEY_FRAMES);
  /**
   * Viewers that have not acknowledged a frame yet, with the minimum time between two key frames for each.
   */
  readonly #new = new Map<StreamViewer, number>();
  readonly #line = new StreamLine(this.#viewers, () => performance.now());
  #info: StreamInfo | undefined;
  #lastKeyFrame = -Infinity;
  #keyFrameTimer: NodeJS.Timeout | undefined;
  #keyFrameDue = 0;
  #budgetTimer: NodeJS.Timeout | undefined;
  #fullLineTimer: NodeJS.Timeout | undefined;
  /** Timers of viewers that requested a key frame while frames were in flight to them. */
  readonly #unheard = new Map<StreamViewer, NodeJS.Timeout>();

  constructor(
    private readonly media: MediaKind,
    private readonly pump: FramePump,
    private readonly encoder: Encoder,
    private readonly number: number,
    private readonly budget: BitBudget,
    /**
     * Called if a viewer has missed frames that another viewer has received. Returns true if the viewer gets
     * another stream. Otherwise the viewer gets a key frame, which all viewers receive.
     */
    private readonly onMissed: (viewer: StreamViewer) => boolean = () => false,
  ) {
    pump.add(this, encoder);
  }

  add(viewer: StreamViewer): void {
    this.#viewers.add(viewer);
    viewer.delivery.reset();
    if (this.#info) viewer.send(this.#info);
    const isCrowded = !this.#first.take();
    this.#new.set(viewer, isCrowded ? CROWDED_KEY_FRAME_INTERVAL_MS : KEY_FRAME_INTERVAL_MS);
    this.#askKeyFrame(isCrowded ? CROWDED_KEY_FRAME_INTERVAL_MS : FIRST_KEY_FRAME_INTERVAL_MS);
  }

  remove(viewer: StreamViewer): void {
    this.#viewers.delete(viewer);
    this.#new.delete(viewer);
    this.#waitNoMore(viewer);
  }

  /**
   * Handles a viewer's request for a key frame. The viewer's decoder failed, or the viewer has no picture
   * yet.
   */
  restart(viewer: StreamViewer): void {
    if (!this.#viewers.has(viewer)) return;
    viewer.delivery.needsKeyFrame = true;
    if (viewer.ready) return this.#askKeyFrame(this.#intervalOf(viewer));
    if (this.#unheard.has(viewer)) return;
    const timer = setTimeout(() => {
      this.#unheard.delete(viewer);
      viewer.delivery.reset();
      if (viewer.ready) this.#askKeyFrame(this.#intervalOf(viewer));
    }, UNACKNOWLEDGED_MS);
    this.#unheard.set(viewer, timer);
  }

  /** Requests a key frame for all viewers. */
  requestKeyFrame(): void {
    this.#askKeyFrame(KEY_FRAME_INTERVAL_MS);
  }

  /** Requests a small frame that repeats the picture. */
  refresh(): void {
    this.pump.refresh(this);
  }

  acknowledged(viewer: StreamViewer, stream: number, frame: number): void {
    if (stream !== this.number) return;
    viewer.delivery.acknowledged(frame);
    this.#new.delete(viewer);
    if (!viewer.delivery.needsKeyFrame) this.pump.wake();
    else if (viewer.ready) {
      this.#waitNoMore(viewer);
      if (!this.#delays(viewer) || !this.onMissed(viewer)) this.#askKeyFrame(KEY_FRAME_INTERVAL_MS);
    }
  }

  get strain(): number {
    return this.budget.strain;
  }

  get frameBytes(): number {
    return Math.min(this.budget.frameBytes, this.#line.frameBytes);
  }

  get bandBytes(): number {
    return this.#line.bandBytes;
  }

  get refinementWait(): number {
    return this.#line.refinementWait;
  }

  /** Records input. The picture that shows its effect must not wait behind refinements. */
  inputCame(): void {
    this.#line.inputCame();
  }

  get ready(): boolean {
    if (this.budget.wait > 0) return false;
    for (const viewer of this.#viewers) if (viewer.ready && !viewer.delivery.lineIsFull) return true;
    return false;
  }

  onCapture(): void {
    for (const viewer of this.#viewers) viewer.markCapture();
  }

  onFrame(frame: PumpedFrame): void {
    this.#account(frame.data.length);
    this.#line.sent(frame.data.length);
    if (frame.keyFrame) {
      this.#lastKeyFrame = performance.now();
      this.#announce();
    }
    const kind = this.media === 'image' ? 'image' : 'video';
    for (const viewer of this.#viewers) viewer.sendFrame(kind, this.number, frame);
    this.#awaitLine();
  }

  /** True if the stream has no viewers. */
  get isEmpty(): boolean {
    return this.#viewers.size === 0;
  }

  /** Ends the stream. Its pump closes the encoder. */
  close(): void {
    this.pump.remove(this);
    clearTimeout(this.#keyFrameTimer);
    clearTimeout(this.#budgetTimer);
    clearTimeout(this.#fullLineTimer);
    for (const viewer of this.#viewers) this.#waitNoMore(viewer);
    this.#viewers.clear();
    this.#new.clear();
  }

  /** True if a key frame for this viewer would delay the picture of another viewer. */
  #delays(viewer: StreamViewer): boolean {
    for (const other of this.#viewers) if (other !== viewer && !other.delivery.needsKeyFrame) return true;
    return false;
  }

  #intervalOf(viewer: StreamViewer): number {
    return this.#new.get(viewer) ?? KEY_FRAME_INTERVAL_MS;
  }

  #waitNoMore(viewer: StreamViewer): void {
    clearTimeout(this.#unheard.get(viewer));
    this.#unheard.delete(viewer);
  }

  /**
   * Counts the bytes against the budget. If the budget is used up, wakes the pump when bits are available
   * again.
   */
  #account(bytes: number): void {
    this.budget.spend(bytes);
    const { wait } = this.budget;
    if (wait === 0) return;
    clearTimeout(this.#budgetTimer);
    this.#budgetTimer = setTimeout(() => this.pump.wake(), Math.ceil(wait) + 1);
  }

  /**
   * Wakes the pump regularly while full lines keep the stream from sending. Stops when the stream is ready,
   * or when no ready viewer has a full line.
   */
  #awaitLine(): void {
    clearTimeout(this.#fullLineTimer);
    const isFull = [...this.#viewers].some((viewer) => viewer.ready && viewer.delivery.lineIsFull);
    if (!isFull || this.ready) return;
    this.#fullLineTimer = setTimeout(() => {
      this.pump.wake();
      this.#awaitLine();
    }, FULL_LINE_MS);
  }

  /**
   * Sends the stream's description to the viewers before the first key frame. The description contains the
   * codec string, which is known after this key frame was encoded.
   */
  #announce(): void {
    const { codec } = this.encoder;
    if (this.#info?.codec === codec) return;
    const { number: stream, media, pump } = this;
    this.#info = { type: 'stream', stream, media, codec, ...pump.size };
    for (const viewer of this.#viewers) viewer.send(this.#info);
  }

  /**
   * Requests a key frame now, or when this interval has passed since the last key frame. If a key frame is
   * already planned for an earlier time, keeps that time.
   */
  #askKeyFrame(interval: number): void {
    const now = performance.now();
    const due = Math.max(now, this.#lastKeyFrame + interval);
    if (this.#keyFrameTimer && this.#keyFrameDue <= due) return;
    clearTimeout(this.#keyFrameTimer);
    this.#keyFrameTimer = undefined;
    if (due <= now) return this.pump.requestKeyFrame(this);
    this.#keyFrameDue = due;
    this.#keyFrameTimer = setTimeout(() => {
      this.#keyFrameTimer = undefined;
      this.pump.requestKeyFrame(this);
    }, due - now);
  }
}
