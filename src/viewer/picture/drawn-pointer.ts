/**
 * Style of the canvas. It is above all other content of the page and receives no input. The page's styles do
 * not apply to it.
 */
const STYLE =
  'all: initial; position: fixed; inset: 0 auto auto 0; pointer-events: none; z-index: 2147483647; display: none';

/** The image of a pointer. `hotX` and `hotY` are its hotspot in CSS pixels. */
export interface PointerPicture {
  png: Blob;
  hotX: number;
  hotY: number;
  /** Pixels of the image per CSS pixel. */
  pixelRatio: number;
}

/**
 * Draws a pointer on a canvas that follows the mouse over a container. A Content-Security-Policy cannot block
 * it, because the image has no URL. The drawn pointer is one frame later than a pointer that the system
 * draws.
 */
export class DrawnPointer {
  readonly #canvas = document.createElement('canvas');
  readonly #listening = new AbortController();
  /** The requested image. It is dropped if another image is requested before it is decoded. */
  #wish: PointerPicture | undefined;
  /** The image on the canvas. */
  #drawn: PointerPicture | undefined;
  /** The newest event of the mouse. Undefined if the mouse is not over the container, or is locked. */
  #at: PointerEvent | undefined;
  #style = '';

  constructor(private readonly container: HTMLElement) {
    this.#canvas.style.cssText = STYLE;
    this.#canvas.setAttribute('aria-hidden', 'true');
    // A popover is in the top layer. Ancestors of the container cannot move or clip it.
    this.#canvas.popover = 'manual';
    container.append(this.#canvas);
    const { signal } = this.#listening;
    for (const type of ['pointerenter', 'pointermove', 'pointerleave'] as const)
      container.addEventListener(type, this.#follow, { signal, capture: true });
    // An element that becomes full screen is put above all earlier elements of the top layer.
    document.addEventListener('fullscreenchange', () => this.#at && this.#raise(), { signal });
  }

  /** @param style the container's CSS cursor, used without an image and until the image is drawn */
  show(style: string, picture?: PointerPicture): void {
    this.#style = style;
    this.#wish = picture;
    if (picture) void this.#draw(picture);
    else this.#drawn = undefined;
    this.#place();
  }

  close(): void {
    this.#listening.abort();
    this.#wish = undefined;
    this.#canvas.remove();
  }

  async #draw(picture: PointerPicture): Promise<void> {
    // If the image cannot be decoded, the CSS cursor stays.
    const bitmap = await createImageBitmap(picture.png).catch(() => undefined);
    if (this.#wish !== picture) {
      bitmap?.close();
      return;
    }
    this.#drawn = bitmap && picture;
    if (bitmap) {
      const { width, height } = bitmap;
      Object.assign(this.#canvas, { width, height });
      this.#canvas.style.width = `${width / picture.pixelRatio}px`;
      this.#canvas.style.height = `${height / picture.pixelRatio}px`;
      this.#canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
    }
    this.#place();
  }

  readonly #follow = (event: PointerEvent): void => {
    const gone =
      event.type === 'pointerleave' || event.pointerType === 'touch' || document.pointerLockElement;
    // The page may have moved the container in the document, which closes the popover.
    if (!gone && !(this.#at && this.#isRaised)) this.#raise();
    this.#at = gone ? undefined : event;
    this.#place();
  };

  get #isRaised(): boolean {
    return !('showPopover' in this.#canvas) || this.#canvas.matches(':popover-open');
  }

  /**
   * Moves the canvas above popovers and dialogs that the page has opened meanwhile. Browsers without popovers
   * use only `z-index`.
   */
  #raise(): void {
    if (!this.#canvas.isConnected || !('showPopover' in this.#canvas)) return;
    this.#canvas.hidePopover();
    this.#canvas.showPopover();
  }

  #place(): void {
    const picture = this.#drawn;
    const shown = picture && this.#at;
    this.#canvas.style.display = shown ? 'block' : 'none';
    if (shown) {
      // The CSS zoom of the container also applies to the top layer. Older browsers do not report it.
      const { currentCSSZoom: zoom } = this.container as { currentCSSZoom?: number };
      this.#canvas.style.zoom = String(1 / (zoom ?? 1));
      this.#canvas.style.translate = `${shown.clientX - picture.hotX}px ${shown.clientY - picture.hotY}px`;
    }
    this.container.style.cursor = shown ? 'none' : this.#style;
  }
}
