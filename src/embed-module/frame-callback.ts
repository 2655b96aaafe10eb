import type { Viewer } from '../viewer/index.js';
import { OpenFrames } from './open-frames.js';

/** Passes frames to a page until it is closed. */
export interface FrameCallback {
  close(): void;
}

/**
 * Passes frames to a page, in the form that users of `@hyperbeam/web` expect. In browsers with
 * `MediaStreamTrackProcessor`, or without `requestVideoFrameCallback`, each frame is a new bitmap. In other
 * browsers the page always gets the same `<video>`, which shows the frames.
 */
export function openFrameCallback(
  viewer: Viewer,
  video: HTMLVideoElement,
  callback: (frame: ImageBitmap | HTMLVideoElement) => void,
): FrameCallback {
  const hasBitmaps = 'MediaStreamTrackProcessor' in globalThis || !('requestVideoFrameCallback' in video);
  return hasBitmaps ? new BitmapCallback(viewer, callback) : new VideoCallback(video, callback);
}

/**
 * Passes bitmaps. If several frames arrive while a bitmap is created, only the newest one becomes the next
 * bitmap.
 */
class BitmapCallback implements FrameCallback {
  readonly #shelf = new OpenFrames();
  #making = false;
  #again = false;
  #closed = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly callback: (frame: ImageBitmap) => void,
  ) {
    viewer.on('painted', this.#painted);
  }

  close(): void {
    this.#closed = true;
    this.viewer.off('painted', this.#painted);
    this.#shelf.clear();
  }

  readonly #painted = (): void => {
    this.#again = true;
    if (!this.#making) void this.#make();
  };

  async #make(): Promise<void> {
    this.#making = true;
    while (this.#again) {
      this.#again = false;
      // Uses the canvas, because it contains exactly the visible picture for every format of frames.
      const bitmap = await createImageBitmap(this.viewer.canvas).catch(() => undefined);
      if (bitmap) this.#give(bitmap);
    }
    this.#making = false;
  }

  #give(bitmap: ImageBitmap): void {
    if (this.#closed) {
      bitmap.close();
      return;
    }
    this.#shelf.add(bitmap);
    tell(this.callback, bitmap);
  }
}

/** Calls the page's callback whenever the video shows a new frame. */
class VideoCallback implements FrameCallback {
  #request: number;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly callback: (frame: HTMLVideoElement) => void,
  ) {
    this.#request = video.requestVideoFrameCallback(this.#shown);
  }

  close(): void {
    this.video.cancelVideoFrameCallback(this.#request);
  }

  readonly #shown = (): void => {
    this.#request = this.video.requestVideoFrameCallback(this.#shown);
    tell(this.callback, this.video);
  };
}

/**
 * Calls the page's callback. An error in the callback is reported to the page's console and does not stop the
 * frames.
 */
function tell<Frame>(callback: (frame: Frame) => void, frame: Frame): void {
  try {
    callback(frame);
  } catch (error) {
    reportError(error);
  }
}
