import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { positionIn } from './loading/recording-data.js';
import type { Span } from './replay-events.js';

/** Events of a video after which the controls may look different. */
const SHOWN_EVENTS = [
  ...['play', 'pause', 'playing', 'waiting', 'ended', 'timeupdate', 'seeking', 'seeked'],
  ...['ratechange', 'volumechange', 'durationchange', 'loadedmetadata', 'progress', 'canplaythrough'],
  ...['enterpictureinpicture', 'leavepictureinpicture'],
];

/** Playback speeds: the slowest and the fastest. */
export const SPEEDS = { min: 0.5, max: 8 } as const;

/** Element whose video is controlled. */
export interface PlaybackHost extends ReactiveControllerHost {
  /** Address of the recording that the page wants. It may not be loaded yet. */
  readonly src: string;
  readonly isConnected: boolean;
  /** Time spans of the recording without events. Empty until the events are loaded. */
  readonly idle: readonly Span[];
  /** True if the playback skips these spans. */
  readonly skipIdle: boolean;
  /** Duration that the service reports. 0 if it is not known. */
  readonly seconds: number;
  /** Called for each event of the video that may change the controls. */
  played(type: string): void;
  /** Called when the video cannot be played. */
  playbackFailed(error: MediaError | null): void;
  /** Called before an idle span is skipped, with the number of seconds to its end. */
  skipped(seconds: number): void;
}

/** Controls the video of a recording, and skips its idle time. */
export class Playback implements ReactiveController {
  #video: HTMLVideoElement | undefined;
  /** Position that the user has chosen. The idle span that contains it is not skipped. */
  #chosen: number | undefined;
  #speed = 1;
  /**
   * Position to which the video goes as soon as it can. At first the start of the playback, later a position
   * that the user has chosen. 0 after the video has reached it.
   */
  #start = 0;
  /** Value of the host's `src` at the last call of {@link load}. */
  #src = '';
  /**
   * Position that was chosen before a video is loaded. The video of this recording starts there. If
   * `recording` is empty, the next video starts there.
   */
  #kept: { time: number; recording: string } | undefined;

  constructor(private readonly host: PlaybackHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    // An element that is only moved is inserted again in the same task, and plays on as a video does.
    queueMicrotask(() => !this.host.isConnected && this.pause());
  }

  /** Uses a video element of the host. */
  use(video: HTMLVideoElement | undefined): void {
    if (!video || video === this.#video) return;
    this.#video = video;
    for (const type of SHOWN_EVENTS) video.addEventListener(type, () => this.#onEvent(type));
    video.addEventListener('error', () => this.host.playbackFailed(video.error));
  }

  /** Loads a video. Without an address, removes the current video. */
  load(address: string | undefined, start: number): void {
    const video = this.#video;
    if (!video) return;
    // Frameworks may set `src` to undefined or null.
    this.#src = this.host.src || '';
    const recording = recordingOf(this.#src);
    const kept = this.#kept;
    if (kept && kept.recording !== '' && kept.recording !== recording) this.#kept = undefined;
    else if (kept) kept.recording = recording;
    this.#start = start;
    this.#chosen = undefined;
    if (address === undefined) video.removeAttribute('src');
    else {
      video.src = address;
      this.#start = this.#kept?.time ?? start;
      this.#kept = undefined;
    }
    video.load();
  }

  get paused(): boolean {
    return this.#video?.paused ?? true;
  }

  get ended(): boolean {
    return this.#video?.ended ?? false;
  }

  /** True while the video waits for data. */
  get waiting(): boolean {
    const video = this.#video;
    return video !== undefined && !video.paused && video.readyState < 3 && !video.ended;
  }

  /** True if the length and size of the video are loaded, so that the position can be set. */
  get ready(): boolean {
    return (this.#video?.readyState ?? 0) >= 1;
  }

  get time(): number {
    if (this.#kept) return this.#kept.time;
    // The start may be after the end. The duration is 0 while it is unknown.
    return Math.min(this.#start, this.duration || Infinity) || (this.#video?.currentTime ?? 0);
  }

  /** Duration in seconds. */
  get duration(): number {
    const { duration = NaN, seekable } = this.#video ?? {};
    const loaded = seekable?.length ? seekable.end(seekable.length - 1) : 0;
    // A browser that cannot request byte ranges learns the duration while it loads the video.
    return Math.max(this.host.seconds, Number.isFinite(duration) ? duration : loaded);
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = Math.min(SPEEDS.max, Math.max(SPEEDS.min, Number.isFinite(speed) ? speed : 1));
    if (this.#video) {
      this.#video.defaultPlaybackRate = this.#speed;
      this.#video.playbackRate = this.#speed;
    }
    this.host.requestUpdate();
  }

  /** Starts the playback, or starts it again after the end. Rejects if the browser does not allow it. */
  async play(): Promise<void> {
    await this.#video?.play();
  }

  pause(): void {
    this.#video?.pause();
  }

  toggle(): void {
    if (!this.paused) this.pause();
    // If the browser blocks the playback, the button stays for the next attempt.
    else this.play().catch(() => this.host.requestUpdate());
  }

  /**
   * Goes to a time in seconds, as soon as there is a video of the recording that the page wants. An idle span
   * that contains this time is not skipped.
   */
  seek(position: number): void {
    const time = positionIn(position);
    if (time === undefined) return;
    const src = this.host.src || '';
    const isNew = src !== this.#src;
    // The duration may be unknown before the video is loaded.
    const target = Math.min(Math.max(0, time), this.ready && !isNew ? this.duration : Infinity);
    if (isNew || this.#video?.hasAttribute('src') !== true) {
      // Frameworks set properties to initial values. So 0 is no choice before the recording is requested.
      const isChoice = target > 0 || (src !== '' && !isNew);
      this.#kept = isChoice ? { time: target, recording: recordingOf(src) } : undefined;
      this.host.requestUpdate();
      return;
    }
    this.#chosen = target;
    this.#start = target;
    if (this.#canSeek(target) || !this.#learnsDuration) this.#goTo(target);
    this.host.requestUpdate();
  }

  #onEvent(type: string): void {
    const video = this.#video;
    if (type === 'loadedmetadata' && video) video.playbackRate = this.#speed;
    this.#goToStart();
    if (type === 'timeupdate') this.#skip();
    this.host.played(type);
    this.host.requestUpdate();
  }

  #goTo(time: number): void {
    if (!this.#video || !this.ready) return;
    this.#start = 0;
    this.#chosen = time;
    this.#video.currentTime = time;
  }

  /** Goes to the start position as soon as the browser can seek to it. */
  #goToStart(): void {
    if (this.#start > 0 && this.#canSeek(this.#start)) this.#goTo(Math.min(this.#start, this.duration));
  }

  /**
   * True if the browser can seek to a position. If the server does not support byte ranges, the browser must
   * first load the video up to this position.
   */
  #canSeek(time: number): boolean {
    const video = this.#video;
    if (!video || !this.ready) return false;
    const { seekable, duration } = video;
    const end = seekable.length > 0 ? seekable.end(seekable.length - 1) : 0;
    return end >= Math.min(time, Number.isFinite(duration) ? duration : this.duration) - 0.5;
  }

  /** True while the browser has not read the duration of the video. Until then, it ignores positions. */
  get #learnsDuration(): boolean {
    const { duration = NaN, seekable } = this.#video ?? {};
    return !Number.isFinite(duration) || seekable?.length === 0;
  }

  #skip(): void {
    const video = this.#video;
    if (!video || video.paused || video.seeking || !this.host.skipIdle) return;
    const { idle } = this.host;
    // The events may be loaded after the user has chosen a position.
    if (idle.length === 0) return;
    const span = spanAt(idle, video.currentTime);
    const isChosen = span && this.#chosen !== undefined && span === spanAt(idle, this.#chosen);
    if (!isChosen) this.#chosen = undefined;
    // A jump near the end of the span would take longer than playing the rest of the span.
    if (!span || isChosen || span.end - video.currentTime < 1) return;
    // The browser would go to another position, for example back to the start.
    if (!this.#canSeek(span.end)) return;
    this.host.skipped(span.end - video.currentTime);
    video.currentTime = span.end;
  }
}

function spanAt(spans: readonly Span[], time: number): Span | undefined {
  return spans.find(({ start, end }) => time >= start && time < end);
}

/** Returns the address of a recording without its token, so that a page can renew the token. */
export function recordingOf(src: string): string {
  if (!src || !URL.canParse(src, document.baseURI)) return src;
  const url = new URL(src, document.baseURI);
  url.searchParams.delete('token');
  return url.href;
}
