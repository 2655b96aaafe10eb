import type { Viewer } from '../viewer/index.js';

/**
 * A track that accepts frames from a script. Chromium supports it in pages. Other browsers support it only in
 * workers, or not at all.
 */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type GeneratorScope = { MediaStreamTrackGenerator?: new (init: { kind: 'video' }) => TrackGenerator };

/**
 * Time between two checks for a static picture, in milliseconds. A static picture is repeated, because a new
 * consumer would otherwise wait for the next change.
 */
const REPEAT_MS = 200;

/**
 * A viewer's picture as a video track, for `<video>` elements and recorders. Writes decoded frames to the
 * track if the browser supports that. Otherwise the browser captures the canvas.
 */
export class PictureTrack {
  readonly #track: MediaStreamTrack;
  readonly #writer: WritableStreamDefaultWriter<VideoFrame> | undefined;
  #clones: MediaStreamTrack[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  /** True if a frame was passed on since the last check. */
  #passed = false;

  constructor(private readonly viewer: Viewer) {
    const { MediaStreamTrackGenerator: Generator } = globalThis as GeneratorScope;
    if (Generator && typeof VideoFrame !== 'undefined') {
      const track = new Generator({ kind: 'video' });
      this.#track = track;
      this.#writer = track.writable.getWriter();
      viewer.on('frame', this.#pass);
    } else {
      const [track] = viewer.canvas.captureStream().getVideoTracks();
      if (!track) throw new Error('The canvas returned no track.');
      this.#track = track;
    }
  }

  /** The track itself, for the embed's own video element. */
  get track(): MediaStreamTrack {
    return this.#track;
  }

  /**
   * Returns a track for the caller. The track gets the current picture soon, even if the screen is static. It
   * ends when this object is closed, or when the caller stops it.
   */
  clone(): MediaStreamTrack {
    const clone = this.#track.clone();
    this.#clones.push(clone);
    this.#timer ??= setInterval(() => this.#repeat(), REPEAT_MS);
    return clone;
  }

  close(): void {
    clearInterval(this.#timer);
    this.viewer.off('frame', this.#pass);
    for (const track of [this.#track, ...this.#clones]) track.stop();
    this.#writer?.abort().catch(() => undefined);
  }

  readonly #pass = (image: VideoFrame | ImageBitmap | HTMLCanvasElement): void => {
    this.#passed = true;
    // Sets a time as the timestamp, because players need a clock. The timestamps of decoded frames are only
    // frame numbers.
    const frame = new VideoFrame(image, { timestamp: Math.round(performance.now() * 1000) });
    this.#writer?.write(frame).catch(() => frame.close());
  };

  /** Repeats a static picture, because a recorder needs a frame to begin. */
  #repeat(): void {
    this.#clones = this.#clones.filter(({ readyState }) => readyState === 'live');
    if (this.#clones.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const { canvas } = this.viewer;
    if (!this.#passed && this.#writer && canvas.width > 0) this.#pass(canvas);
    this.#passed = false;
  }
}
