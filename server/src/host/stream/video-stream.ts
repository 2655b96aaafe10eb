import type { MediaKind, StreamInfo } from 'cloud-browser/protocol';
import type { BitBudget } from './bit-budget.js';
import type { Encoder } from '../encode/encoder.js';
import type { FramePump, PumpedFrame, PumpSink } from './frame-pump.js';
import type { Delivery } from './delivery.js';
import { TokenBucket } from '../../platform/token-bucket.js';

/** One connection as a stream sees it: where packets go, and whether more fit. */
export interface StreamViewer {
  /** The format it takes. */
  readonly media: MediaKind;
  readonly delivery: Delivery;
  /** Whether a frame can be sent now. */
  readonly ready: boolean;
  /** The screen is being read now: this frame shows the effect of all input that the display has so far. */
  markCapture(): void;
  /** Describes the packets that follow. */
  send(message: StreamInfo): void;
  /** Sends a frame, or notes that this viewer has now missed one. */
  sendFrame(kind: 'video' | 'image', stream: number, frame: PumpedFrame): void;
}

/** Between two key frames at least: viewers that catch up together cost the others one key frame, not one each. */
const KEY_FRAME_INTERVAL_MS = 250;
/** The same for a viewer that comes in and sees nothing yet, as long as not too many come. */
const FIRST_KEY_FRAME_INTERVAL_MS = 60;
const FIRST_KEY_FRAMES = { perSecond: 1, burst: 8 };
/** Frames of which a viewer says nothing for so long after it has asked for a key frame went elsewhere: it waits for no word of them. */
const UNHEARD_MS = 1_000;

/** One stream and all who watch it: each frame is encoded once and sent to those who can take it. */
export class VideoStream implements PumpSink {
  readonly #viewers = new Set<StreamViewer>();
  readonly #first = new TokenBucket(FIRST_KEY_FRAMES);
  #info: StreamInfo | undefined;
  #lastKeyFrame = -Infinity;
  #keyFrameTimer: NodeJS.Timeout | undefined;
  #keyFrameDue = 0;
  #budgetTimer: NodeJS.Timeout | undefined;
  /** Of viewers that have asked for a key frame while frames are on their way to them. */
  readonly #unheard = new Map<StreamViewer, NodeJS.Timeout>();

  constructor(
    private readonly media: MediaKind,
    private readonly pump: FramePump,
    private readonly encoder: Encoder,
    private readonly number: number,
    private readonly budget: BitBudget,
  ) {
    pump.add(this, encoder);
  }

  add(viewer: StreamViewer): void {
    this.#viewers.add(viewer);
    viewer.delivery.reset();
    if (this.#info) viewer.send(this.#info);
    this.#askKeyFrame(this.#first.take() ? FIRST_KEY_FRAME_INTERVAL_MS : KEY_FRAME_INTERVAL_MS);
  }

  remove(viewer: StreamViewer): void {
    this.#viewers.delete(viewer);
    this.#waitNoMore(viewer);
  }

  /** The viewer asks for a key frame: its decoder failed, or it has seen nothing yet. */
  restart(viewer: StreamViewer): void {
    if (!this.#viewers.has(viewer)) return;
    viewer.delivery.needsKeyFrame = true;
    if (viewer.ready) return this.#askKeyFrame(KEY_FRAME_INTERVAL_MS);
    if (this.#unheard.has(viewer)) return;
    const timer = setTimeout(() => {
      this.#unheard.delete(viewer);
      viewer.delivery.reset();
      if (viewer.ready) this.#askKeyFrame(KEY_FRAME_INTERVAL_MS);
    }, UNHEARD_MS);
    this.#unheard.set(viewer, timer);
  }

  acknowledged(viewer: StreamViewer, stream: number, frame: number): void {
    if (stream !== this.number) return;
    viewer.delivery.acknowledged(frame);
    if (!viewer.delivery.needsKeyFrame) this.pump.wake();
    else if (viewer.ready) {
      this.#waitNoMore(viewer);
      this.#askKeyFrame(KEY_FRAME_INTERVAL_MS);
    }
  }

  get strain(): number {
    return this.budget.strain;
  }

  get ready(): boolean {
    if (this.budget.wait > 0) return false;
    for (const viewer of this.#viewers) if (viewer.ready) return true;
    return false;
  }

  onCapture(): void {
    for (const viewer of this.#viewers) viewer.markCapture();
  }

  onFrame(frame: PumpedFrame): void {
    this.#account(frame.data.length);
    if (frame.keyFrame) {
      this.#lastKeyFrame = performance.now();
      this.#announce();
    }
    const kind = this.media === 'image' ? 'image' : 'video';
    for (const viewer of this.#viewers) viewer.sendFrame(kind, this.number, frame);
  }

  close(): void {
    clearTimeout(this.#keyFrameTimer);
    clearTimeout(this.#budgetTimer);
    for (const viewer of this.#viewers) this.#waitNoMore(viewer);
    this.#viewers.clear();
  }

  #waitNoMore(viewer: StreamViewer): void {
    clearTimeout(this.#unheard.get(viewer));
    this.#unheard.delete(viewer);
  }

  /** What changes while there are no bits for it is shown when there are. */
  #account(bytes: number): void {
    this.budget.spend(bytes);
    const { wait } = this.budget;
    if (wait === 0) return;
    clearTimeout(this.#budgetTimer);
    this.#budgetTimer = setTimeout(() => this.pump.wake(), Math.ceil(wait) + 1);
  }

  /** The codec is known with the first key frame; those who wait for it are told before they get it. */
  #announce(): void {
    const { codec } = this.encoder;
    if (this.#info?.codec === codec) return;
    const { number: stream, media, pump } = this;
    this.#info = { type: 'stream', stream, media, codec, ...pump.size };
    for (const viewer of this.#viewers) viewer.send(this.#info);
  }

  /** Asks now, or as soon as this long has passed since the last key frame; an earlier appointment stays. */
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
