import type { Viewer } from '../viewer/index.js';

/** A track that is fed frames by hand. Chromium has it on pages; other browsers in workers alone, or not at all. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type GeneratorScope = { MediaStreamTrackGenerator?: new (init: { kind: 'video' }) => TrackGenerator };

/** Between two looks at whether the picture stands still: a consumer that comes then would wait for its next change. */
const REPEAT_MS = 200;

/**
 * A viewer's picture as a video track, for `<video>` elements and recorders. Decoded frames are passed on as they are where the
 * browser can do that; elsewhere it reads the canvas back.
 */
export class PictureTrack {
  readonly #track: MediaStreamTrack;
  readonly #writer: WritableStreamDefaultWriter<VideoFrame> | undefined;
  #clones: MediaStreamTrack[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  /** A picture was passed on since the last look. */
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
      if (!track) throw new Error('The canvas gives no track.');
      this.#track = track;
    }
  }

  /** The track itself, for the one element that always shows it. */
  get track(): MediaStreamTrack {
    return this.#track;
  }

  /** A track of the caller's own, which begins with the picture of this moment. It ends with this object at the latest. */
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
    // Frames come with their number for a time; those who play them want a clock.
    const frame = new VideoFrame(image, { timestamp: Math.round(performance.now() * 1000) });
    this.#writer?.write(frame).catch(() => frame.close());
  };

  /** A still picture would not come again by itself, and a recorder writes nothing before it has one. */
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
