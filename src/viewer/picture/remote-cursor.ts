import type { Cursor } from '../../protocol/index.js';
import { DrawnPointer } from './drawn-pointer.js';
import { mayForbidPictures } from './picture-policy.js';

/** Maximum size of a cursor image. Browsers refuse larger ones. */
const MAX_CURSOR_PIXELS = 128;
/** Only URLs of this form may be written into a style. */
const PNG = /^data:image\/png;base64,((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
/**
 * Number of cursor images to keep. A remote page uses about a dozen. The local
 * browser may load an image a little after its URL was set as the cursor, so URLs are revoked late.
 */
const MAX_PICTURES = 32;

interface Picture {
  png: Blob;
  address: string;
}

/**
 * Shows remote cursors over a container as its CSS cursor, which has no delay. If the page's
 * Content-Security-Policy may forbid images in CSS cursors, draws the cursors on a canvas.
 */
export class RemoteCursor {
  /** Images by data URL, newest last. */
  readonly #pictures = new Map<string, Picture>();
  readonly #drawn: DrawnPointer | undefined;

  /** @param draws true to draw images on a canvas */
  constructor(
    private readonly container: HTMLElement,
    draws = mayForbidPictures(),
  ) {
    this.#drawn = draws ? new DrawnPointer(container) : undefined;
  }

  /**
   * Shows a cursor. It keeps its own size when the remote picture is scaled, because it is the user's pointer
   * and not a part of the picture.
   *
   * @param cursor undefined to show the local pointer
   * @param pixelRatio pixels of the image per CSS pixel
   * @returns the value of the CSS property `cursor` for it
   */
  show(cursor: Cursor | undefined, pixelRatio = 1): string {
    const picture = cursor && this.#pictureOf(cursor);
    if (!picture) {
      const style = cursor ? (cursor.shape === 'none' ? 'none' : 'default') : '';
      this.#wear(style);
      return style;
    }
    const { width = 0, height = 0 } = cursor;
    const hotX = within((cursor.hotX ?? 0) / pixelRatio, width / pixelRatio);
    const hotY = within((cursor.hotY ?? 0) / pixelRatio, height / pixelRatio);
    const address = `url("${picture.address}")`;
    const image = pixelRatio === 1 ? address : `image-set(${address} ${pixelRatio}x)`;
    const style = `${image} ${hotX} ${hotY}, default`;
    if (this.#drawn) this.#drawn.show('default', { png: picture.png, hotX, hotY, pixelRatio });
    else this.#wear(style);
    return style;
  }

  close(): void {
    this.#wear('');
    this.#drawn?.close();
    for (const { address } of this.#pictures.values()) URL.revokeObjectURL(address);
    this.#pictures.clear();
  }

  #wear(style: string): void {
    if (this.#drawn) this.#drawn.show(style);
    else this.container.style.cursor = style;
  }

  #pictureOf({ shape, url = '', width = 0, height = 0 }: Cursor): Picture | undefined {
    const base64 = shape === 'image' && PNG.exec(url)?.[1];
    if (!base64 || Math.max(width, height) > MAX_CURSOR_PIXELS) return undefined;
    const picture = this.#pictures.get(url) ?? pictureOf(base64);
    this.#pictures.delete(url);
    this.#pictures.set(url, picture);
    const [oldest] = this.#pictures;
    if (this.#pictures.size > MAX_PICTURES && oldest) {
      this.#pictures.delete(oldest[0]);
      URL.revokeObjectURL(oldest[1].address);
    }
    return picture;
  }
}

function pictureOf(base64: string): Picture {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const png = new Blob([bytes], { type: 'image/png' });
  return { png, address: URL.createObjectURL(png) };
}

function within(hot: number, size: number): number {
  return Math.max(0, Math.min(Math.round(hot), Math.max(0, size - 1)));
}
