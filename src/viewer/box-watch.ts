import type { Size } from '../core/index.js';

/** The place that an element has for its content. */
export interface Box {
  /** In CSS pixels, perhaps with fractions. */
  css: Size;
  /** Pixels of the device, whole ones: as many as the browser paints. */
  device: Size;
}

/** Beyond this a browser's own count of device pixels is of something else: of a box on its side, or of one that is zoomed. */
const ROUNDING_PIXELS = 2;

/** Tells the content box of an element, and every change of it: also one that only the device's pixels have (zoom, another screen). */
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

  /** An observer tells the present box as soon as it observes. */
  #observe(): void {
    try {
      this.#observer.observe(this.element, { box: 'device-pixel-content-box' });
    } catch {
      // WebKit does not know that box.
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
  // Safari has no such sizes.
  const [size] = (sizes as readonly ResizeObserverSize[] | undefined) ?? [];
  const exact = size && { width: size.inlineSize, height: size.blockSize };
  const near = (a: number, b: number) => Math.abs(a - b) <= ROUNDING_PIXELS;
  const counts = exact && near(exact.width, rounded.width) && near(exact.height, rounded.height);
  return { css, device: counts ? exact : rounded };
}
