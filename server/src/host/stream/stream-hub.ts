import type { MediaKind } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../platform/time/clock.js';
import type { FrameSource } from '../capture/frame-source.js';
import { FramePump } from './frame-pump.js';
import type { StreamParts, StreamSize } from './stream-parts.js';
import { LateViewers } from './late-viewers.js';
import { VideoStream, type StreamViewer } from './video-stream.js';

/** Number of different stream numbers. A packet's header has 16 bits for the number of its stream. */
const STREAM_NUMBERS = 0x10000;
/**
 * Maximum number of failures of reading or encoding within {@link FAILURE_WINDOW_MS}. After each of them, the
 * hub starts new encoders. The next failure ends the session.
 */
const MAX_FAILURES = 5;
const FAILURE_WINDOW_MS = 60_000;

/** A format. With `late`, the second stream of this format, for late viewers. */
type StreamKey = MediaKind | `${MediaKind}, late`;

/**
 * Shows the screen to viewers, with one pump and one stream for each format in use. Viewers that miss frames
 * again and again share a second stream of their format. So the key frames that they need do not go to the
 * other viewers. Viewers get a new stream when the display restarts, which changes the source, and when an
 * encoder has failed.
 */
export class StreamHub {
  readonly #viewers = new Set<StreamViewer>();
  readonly #streams = new Map<StreamKey, VideoStream>();
  readonly #late = new LateViewers();
  #pump: FramePump | undefined;
  #source: FrameSource | undefined;
  #lastNumber = 0;
  /** Times of the encoder failures within the time window. */
  #failures: number[] = [];

  /** @param onFailure called when encoders have failed too often, or when no new one can start */
  constructor(
    private readonly makeParts: (media: MediaKind, size: StreamSize) => StreamParts,
    private readonly onFailure: (error: unknown) => void,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** Size of the screen in pixels. Undefined while there is no source. */
  get size(): { width: number; height: number } | undefined {
    return this.#source && { width: this.#source.width, height: this.#source.height };
  }

  /**
   * Shows this source from now on. The source still belongs to the caller, who closes it after `close` or the
   * next `show`.
   */
  show(source: FrameSource): void {
    void this.#stop();
    this.#source = source;
    this.#start();
  }

  /**
   * Shows nothing until the next `show`. Viewers keep their last picture. Resolves when the pump has stopped
   * reading the source.
   */
  pause(): Promise<void> {
    this.#source = undefined;
    return this.#stop();
  }

  add(viewer: StreamViewer): void {
    this.#viewers.add(viewer);
    this.#streamOf(viewer)?.add(viewer);
  }

  remove(viewer: StreamViewer): void {
    this.#viewers.delete(viewer);
    this.#leave(viewer);
    this.#late.forget(viewer);
  }

  /** Sends a new key frame to a viewer that cannot continue decoding. */
  restart(viewer: StreamViewer): void {
    this.#existing(viewer)?.restart(viewer);
  }

  /** Records that a user pressed or released a key or a button. */
  inputCame(): void {
    for (const stream of this.#streams.values()) stream.inputCame();
  }

  /** Makes the next frame of a viewer's stream a key frame, and sends one even if nothing changed. */
  requestKeyFrame(viewer: StreamViewer): void {
    this.#existing(viewer)?.requestKeyFrame();
  }

  /**
   * Sends the viewer's picture again as a small frame. If a change is waiting to be sent, sends only the
   * change.
   */
  refresh(viewer: StreamViewer): void {
    this.#existing(viewer)?.refresh();
  }

  acknowledged(viewer: StreamViewer, stream: number, frame: number): void {
    this.#existing(viewer)?.acknowledged(viewer, stream, frame);
    if (this.#late.isOver(viewer)) this.#move(viewer, () => this.#late.forget(viewer));
  }

  close(): void {
    void this.#stop();
    this.#viewers.clear();
  }

  #start(): void {
    if (!this.#source) return;
    this.#pump = new FramePump(this.#source, (error) => this.#onError(error));
    for (const viewer of this.#viewers) this.#streamOf(viewer)?.add(viewer);
  }

  #stop(): Promise<void> {
    const closed = this.#pump?.close();
    this.#pump = undefined;
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
    return closed ?? Promise.resolve();
  }

  #onError(error: unknown): void {
    const now = this.clock.now();
    this.#failures = [...this.#failures.filter((time) => now - time < FAILURE_WINDOW_MS), now];
    if (this.#failures.length > MAX_FAILURES) return this.onFailure(error);
    void this.#stop();
    try {
      this.#start();
    } catch (failure) {
      this.onFailure(failure);
    }
  }

  /** Returns true if the viewer gets another stream, because it has missed frames too often. */
  #missed(viewer: StreamViewer): boolean {
    if (!this.#late.missed(viewer, viewer.delivery.line.rate !== Infinity)) return false;
    this.#move(viewer, () => this.#late.add(viewer));
    return true;
  }

  /** Applies a change to a viewer, and moves the viewer to the stream that it uses after the change. */
  #move(viewer: StreamViewer, change: () => void): void {
    this.#leave(viewer);
    change();
    this.#streamOf(viewer)?.add(viewer);
  }

  /** Removes a viewer from its stream. Closes a stream of late viewers that nobody uses any more. */
  #leave(viewer: StreamViewer): void {
    const stream = this.#existing(viewer);
    stream?.remove(viewer);
    if (!stream?.isEmpty || !this.#late.has(viewer)) return;
    stream.close();
    this.#streams.delete(this.#keyOf(viewer));
  }

  #keyOf(viewer: StreamViewer): StreamKey {
    return this.#late.has(viewer) ? `${viewer.media}, late` : viewer.media;
  }

  #existing(viewer: StreamViewer): VideoStream | undefined {
    return this.#streams.get(this.#keyOf(viewer));
  }

  #streamOf(viewer: StreamViewer): VideoStream | undefined {
    if (!this.#pump) return undefined;
    const key = this.#keyOf(viewer);
    let stream = this.#streams.get(key);
    if (!stream) {
      this.#lastNumber = (this.#lastNumber + 1) % STREAM_NUMBERS;
      const { encoder, budget } = this.makeParts(viewer.media, this.#pump.size);
      const { media } = viewer;
      stream = new VideoStream(media, this.#pump, encoder, this.#lastNumber, budget, (late) =>
        this.#missed(late),
      );
      this.#streams.set(key, stream);
    }
    return stream;
  }
}
