import type { Viewer } from '../viewer/index.js';

/**
 * Gives a page every picture as a bitmap of its own, which stays good until the next one. While one is being made, newer
 * pictures are not queued: the newest is made next.
 */
export class FrameCallback {
  #given: ImageBitmap | undefined;
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
    this.#given?.close();
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
    const before = this.#given;
    this.#given = bitmap;
    try {
      this.callback(bitmap);
    } catch (error) {
      // The page's own mistake: for its console, not a reason to show it nothing more.
      reportError(error);
    }
    before?.close();
  }
}
