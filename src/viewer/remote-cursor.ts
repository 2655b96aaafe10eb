import type { Cursor } from '../protocol/index.js';
import { allowedScheme, pngOf, type PictureScheme } from './picture-scheme.js';

/** Browsers refuse larger cursors. */
const MAX_CURSOR_PIXELS = 128;
/** Nothing but this may come into a style. */
const PNG = /^data:image\/png;base64,((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/** Shapes whose pictures stay at hand: a browser shows about a dozen, and pages read them out of the style a little later. */
const MAX_PICTURES = 32;

/** The remote pointer's shapes as values of the CSS property `cursor`. */
export class RemoteCursor {
  /** Addresses by data URL, the newest last. */
  readonly #pictures = new Map<string, string>();
  /** Undefined before it is known, and where the page's policy allows no pictures. */
  #scheme: PictureScheme | undefined;
  #closed = false;

  /** @param onKnown pictures can be shown: the arrow that was given before is to be asked for again */
  constructor(onKnown: () => void, find = allowedScheme) {
    void find().then((scheme) => {
      if (this.#closed || !scheme) return;
      this.#scheme = scheme;
      onKnown();
    });
  }

  /**
   * It keeps its own size however the picture is scaled: it is the user's pointer, not a part of the picture.
   *
   * @param pixelRatio pixels of the picture for one CSS pixel
   */
  css(cursor: Cursor, pixelRatio = 1): string {
    if (cursor.shape === 'none') return 'none';
    const { url, width = 0, height = 0, hotX = 0, hotY = 0 } = cursor;
    const base64 = PNG.exec(url ?? '')?.[1];
    if (!url || !base64 || Math.max(width, height) > MAX_CURSOR_PIXELS) return 'default';
    if (!this.#scheme) return 'default';
    const address = this.#scheme === 'data' ? url : this.#blobUrl(url, base64);
    const hot = (at: number, size: number) => within(at / pixelRatio, size / pixelRatio);
    const picture = pixelRatio === 1 ? `url("${address}")` : `image-set(url("${address}") ${pixelRatio}x)`;
    return `${picture} ${hot(hotX, width)} ${hot(hotY, height)}, default`;
  }

  close(): void {
    this.#closed = true;
    this.#scheme = undefined;
    for (const address of this.#pictures.values()) URL.revokeObjectURL(address);
    this.#pictures.clear();
  }

  #blobUrl(url: string, base64: string): string {
    const address = this.#pictures.get(url) ?? URL.createObjectURL(pngOf(base64));
    this.#pictures.delete(url);
    this.#pictures.set(url, address);
    const [oldest] = this.#pictures;
    if (this.#pictures.size > MAX_PICTURES && oldest) {
      this.#pictures.delete(oldest[0]);
      URL.revokeObjectURL(oldest[1]);
    }
    return address;
  }
}

function within(hot: number, size: number): number {
  return Math.max(0, Math.min(Math.round(hot), Math.max(0, size - 1)));
}
