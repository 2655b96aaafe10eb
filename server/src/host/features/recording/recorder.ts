import type { MediaKind, StreamInfo } from 'cloud-browser/protocol';
import type { RecordingEnd } from '../../../recording-protocol.js';
import type { Clock } from '../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import { Delivery } from '../../stream/delivery.js';
import type { PumpedFrame } from '../../stream/pump-output.js';
import type { StreamHub } from '../../stream/stream-hub.js';
import type { StreamViewer } from '../../stream/video-stream.js';
import { KeyFrameSchedule, LONGEST_MS } from './key-frame-schedule.js';
import { timeOfCapture } from './capture-time.js';
import type { RecorderOutput } from './recorder-output.js';
import type { Card } from './title-card.js';

/**
 * Milliseconds without a picture after which the recorder requests a picture. If nothing has changed, the
 * picture has about a hundred bytes.
 */
export const REFRESH_MS = 1_500;
/**
 * Milliseconds without a picture after which the recorder takes a picture even if no viewer is ready for it.
 * A slow viewer misses this picture and then needs a key frame. So this time is long.
 */
const SLOW_VIEWER_MS = 5_000;
const TICK_MS = 500;

/** Streams from which a recorder takes frames like a viewer. */
export type RecordedStreams = Pick<
  StreamHub,
  'add' | 'remove' | 'acknowledged' | 'requestKeyFrame' | 'refresh'
>;

/** Settings of a {@link Recorder}. */
export interface RecorderSettings {
  /** True to record the sound. */
  audio: boolean;
  /** Frames per second while no viewer sees the picture. */
  fps: number;
  /** Seconds after which the recording ends. Null if there is no limit. */
  maxSeconds: number | null;
  /** Longest time between two key frames in milliseconds. Default: {@link LONGEST_MS}. */
  longestMs?: number;
  /**
   * Number of bytes since the last key frame after which the recorder requests a key frame. Default: no
   * limit.
   */
  mostBytes?: number;
}

/** Dependencies of a {@link Recorder}. */
export interface RecorderParts {
  settings: RecorderSettings;
  output: RecorderOutput;
  clock: Clock;
  streams: RecordedStreams;
  /** Returns true if a viewer sees the stream that is recorded. */
  isWatched: () => boolean;
  makeCard: (size: { codedWidth: number; codedHeight: number }) => Card;
  /** Called once when the recorder itself has ended the recording. */
  onEnd: (reason: RecordingEnd) => void;
  /** Called with the size of the picture in pixels, at the start and after each change. */
  onSize: (width: number, height: number) => void;
}

/**
 * Records the stream of the session's viewers. While a viewer sees the stream, the recorder takes the frames
 * that are made for the viewer, and does not delay them. It requests only key frames, and small frames that
 * repeat an unchanged picture. But if the viewers are so slow that no picture comes for {@link
 * SLOW_VIEWER_MS}, it takes a picture without them. While no viewer sees the stream, it requests frames
 * itself, at the rate `fps` of its settings.
 */
export class Recorder implements StreamViewer {
  readonly media: MediaKind = 'h264';
  readonly delivery: Delivery;
  readonly #ticks: Repetition;
  #info: StreamInfo | undefined;
  /** Time of the first picture on the clock. Undefined before the first picture. */
  #origin: number | undefined;
  /** Earliest time of the next picture on the clock: the request, or the end of privacy mode. */
  #earliest: number;
  #lastCapture = -1;
  #lastPicture: number;
  readonly #keyFrames: KeyFrameSchedule;
  /** True while the recorder waits until its own next picture is due. */
  #resting = false;
  #card: Card | undefined;
  #paused = false;
  #ended: Promise<void> | undefined;

  constructor(private readonly parts: RecorderParts) {
    const { clock, settings } = parts;
    this.delivery = new Delivery(() => clock.now());
    this.#keyFrames = new KeyFrameSchedule(settings.longestMs ?? LONGEST_MS, settings.mostBytes);
    this.#lastPicture = clock.now();
    this.#earliest = clock.now();
    this.#ticks = repeat(clock, { every: TICK_MS, first: TICK_MS }, () => this.#tick());
  }

  /** Milliseconds since the first picture. 0 before the first picture. */
  get time(): number {
    return this.#origin === undefined ? 0 : Math.max(0, this.parts.clock.now() - this.#origin);
  }

  get ready(): boolean {
    if (this.#paused || this.#ended || this.parts.output.isLate) return false;
    const { clock, isWatched } = this.parts;
    if (isWatched()) return clock.now() - this.#lastPicture >= SLOW_VIEWER_MS;
    return this.delivery.needsKeyFrame || !this.#resting;
  }

  /** True if the recording takes sound now. */
  get listens(): boolean {
    return this.parts.settings.audio && !this.#paused && !this.#ended;
  }

  markCapture(): void {
    // A recorder sends no input.
  }

  send(message: StreamInfo): void {
    const { width, height } = this.#info ?? {};
    this.#info = message;
    if (message.width !== width || message.height !== height)
      this.parts.onSize(message.width, message.height);
  }

  sendFrame(_kind: 'video' | 'image', stream: number, frame: PumpedFrame): void {
    if (this.#paused || this.#ended) return;
    if (this.parts.output.isLate) {
      this.delivery.needsKeyFrame = true;
      return;
    }
    if (this.delivery.needsKeyFrame && !frame.keyFrame) return;
    this.delivery.needsKeyFrame = false;
    const now = this.parts.clock.now();
    // A frame that only sharpens or repeats the picture has the capture time of the earlier frame. So the
    // recorder uses the current time for it.
    const isNew = !frame.refinement && frame.captureTime !== this.#lastCapture;
    this.#lastCapture = frame.captureTime;
    const captured = isNew ? timeOfCapture(frame.captureTime, now) : now;
    // The first picture may show a page that has not changed for minutes.
    this.#picture(frame.data, frame.keyFrame, Math.max(captured, this.#earliest));
    if (this.#keyFrames.picture(frame.data, frame.keyFrame, now, this.parts.isWatched()))
      this.parts.streams.requestKeyFrame(this);
    this.#rest(stream, frame.number);
  }

  /** Adds an Opus packet. */
  sound(payload: Uint8Array, captureTime: number): void {
    if (!this.listens || this.#origin === undefined) return;
    const time = timeOfCapture(captureTime, this.parts.clock.now()) - this.#origin;
    if (time < 0) return;
    this.#keyFrames.sound(payload);
    this.parts.output.sound(Uint8Array.from(payload), time);
  }

  /** Adds an event, as JSON. */
  event(json: string): void {
    if (!this.#ended) this.parts.output.event(json);
  }

  /** Makes the next picture a key frame, so that a player can start there. */
  askKeyFrame(): void {
    if (!this.#paused) this.parts.streams.requestKeyFrame(this);
  }

  /**
   * Records a title card in place of the session's pictures if `paused` is true. If it is false, records the
   * session's pictures.
   */
  pause(paused: boolean): void {
    if (paused === this.#paused || this.#ended) return;
    this.#paused = paused;
    if (paused) {
      this.#showCard();
      return;
    }
    this.#card?.close();
    this.#card = undefined;
    this.#earliest = this.parts.clock.now();
    this.delivery.needsKeyFrame = true;
    this.parts.streams.requestKeyFrame(this);
  }

  /** Ends the recording. Resolves when all of it was sent. A second call has no further effect. */
  end(reason: RecordingEnd): Promise<void> {
    this.#ended ??= this.#end(reason);
    return this.#ended;
  }

  /**
   * Waits until the next picture is due. Only the timer decides this. An additional check of the clock could
   * fail, because timers may fire slightly early.
   */
  #rest(stream: number, frame: number): void {
    if (this.#resting) return;
    this.#resting = true;
    const { clock, settings, streams } = this.parts;
    clock.setTimeout(() => {
      this.#resting = false;
      if (!this.#ended) streams.acknowledged(this, stream, frame);
    }, 1000 / settings.fps);
  }

  async #end(reason: RecordingEnd): Promise<void> {
    this.#ticks.stop();
    this.parts.streams.remove(this);
    this.#card?.close();
    await this.parts.output.end(this.time, reason);
  }

  #tick(): void {
    const { settings, clock, streams, output } = this.parts;
    const isOld = clock.now() - this.#lastPicture >= REFRESH_MS;
    if (settings.maxSeconds !== null && this.time >= settings.maxSeconds * 1000) {
      void this.end('max_seconds');
      this.parts.onEnd('max_seconds');
      return;
    }
    if (this.#paused) this.#showCard();
    else if (isOld && this.delivery.needsKeyFrame) streams.requestKeyFrame(this);
    else if (isOld) streams.refresh(this);
    if (this.#origin !== undefined) output.tick(this.time);
  }

  #showCard(): void {
    const { clock, makeCard } = this.parts;
    const now = clock.now();
    if (!this.#info || this.#origin === undefined) return;
    if (this.#card && now - this.#lastPicture < REFRESH_MS) return;
    const isKeyFrame = !this.#card || this.#keyFrames.isOld(now);
    this.#card ??= makeCard(this.#info);
    const data = isKeyFrame ? this.#card.first() : this.#card.again();
    this.#keyFrames.picture(data, isKeyFrame, now, true);
    this.#picture(data, isKeyFrame, now);
  }

  /** @param at time of the picture, on the clock */
  #picture(data: Buffer, keyFrame: boolean, at: number): void {
    this.#lastPicture = this.parts.clock.now();
    this.#origin ??= at;
    const { codedWidth = 0, codedHeight = 0 } = this.#info ?? {};
    const picture = { data, keyFrame, time: Math.max(0, at - this.#origin) };
    this.parts.output.picture(picture, { codedWidth, codedHeight });
  }
}
