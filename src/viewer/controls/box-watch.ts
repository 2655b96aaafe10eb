import type { Size } from '../../core/index.js';

/** Space that an element has for its content. */
export interface Box {
  /** Size in CSS pixels, possibly with fractions. */
  css: Size;
  /** Size in whole device pixels, as the browser paints it. */
  device: Size;
}

/**
 * Maximum difference between the browser's device pixel count and the calculated one. A larger difference
 * means that the browser's count is for a rotated or zoomed box.
 */
const ROUNDING_PIXELS = 2;

/**
 * Watches the content box of an element. Also reports a change that affects only the size in device pixels,
 * for example after zooming or a move to another screen.
 */
export class BoxWatch {
  readonly #observer = new ResizeObserver((entries) => {
    const entry = entries.at(-1);
    if (entry) this.onChange(boxOf(entry));
  });
  readonly #closing = new AbortController();

  constructor(
    private readonly element: Element,
    private readonly onChange: (box: Box) => void,
  ) {
    this.#observe();
    this.#watchRatio();
  }

  close(): void {
    this.#observer.disconnect();
    this.#closing.abort();
  }

  /** Starts observing. An observer reports the current box immediately. */
  #observe(): void {
    try {
      this.#observer.observe(this.element, { box: 'device-pixel-content-box' });
    } catch {
      // WebKit does not support the box of device pixels.
      this.#observer.observe(this.element);
    }
  }

  #watchRatio(): void {
    const changed = (): void => {
      this.#observer.disconnect();
      this.#observe();
      this.#watchRatio();
    };
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', changed, {
      once: true,
      signal: this.#closing.signal,
    });
  }
}

function boxOf({ contentRect, devicePixelContentBoxSize: sizes }: ResizeObserverEntry): Box {
  const { width, height } = contentRect;
  const css = { width, height };
  const rounded = {
    width: Math.round(width * devicePixelRatio),
    height: Math.round(height * devicePixelRatio),
  };
  // Safari does not report sizes in device pixels.
  const [size] = (sizes as readonly ResizeObserverSize[] | undefined) ?? [];
  const exact = size && { width: size.inlineSize, height: size.blockSize };
  const near = (a: number, b: number) => Math.abs(a - b) <= ROUNDING_PIXELS;
  const counts = exact && near(exact.width, rounded.width) && near(exact.height, rounded.height);
  return { css, device: counts ? exact : rounded };
}
