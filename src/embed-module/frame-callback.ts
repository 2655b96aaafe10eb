import type { Viewer } from '../viewer/index.js';
import { FrameShelf } from './frame-shelf.js';

/** Gives a page pictures until it is closed. */
export interface FrameCallback {
  close(): void;
}

/**
 * Gives a page every picture, in the form that the hosted service has in this browser: a bitmap each time where there is
 * `MediaStreamTrackProcessor`, elsewhere always the same `<video>`, which shows it.
 */
export function openFrameCallback(
  viewer: Viewer,
  video: HTMLVideoElement,
  callback: (frame: ImageBitmap | HTMLVideoElement) => void,
): FrameCallback {
  const hasBitmaps = 'MediaStreamTrackProcessor' in globalThis || !('requestVideoFrameCallback' in video);
  return hasBitmaps ? new BitmapCallback(viewer, callback) : new VideoCallback(video, callback);
}

/** While a bitmap is being made, newer pictures are not queued: the newest is made next. */
class BitmapCallback implements FrameCallback {
  readonly #shelf = new FrameShelf();
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
      // The canvas holds exactly what is visible, whatever the frame came as.
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

/** Whenever the video shows another picture. */
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

/** A page's own mistake is for its console, not a reason to show it nothing more. */
function tell<Frame>(callback: (frame: Frame) => void, frame: Frame): void {
  try {
    callback(frame);
  } catch (error) {
    reportError(error);
  }
}
