import type { Size } from '../../platform/screen-size.js';
import { BYTES_PER_PIXEL, type Rect } from './frame-source.js';

/** Makes an area of a picture black. Ignores the parts outside of the picture. */
export function blacken(picture: Buffer, size: Size, area: Rect): void {
  const left = Math.max(0, Math.floor(area.x));
  const right = Math.min(size.width, Math.ceil(area.x + area.width));
  const top = Math.max(0, Math.floor(area.y));
  const bottom = Math.min(size.height, Math.ceil(area.y + area.height));
  if (right <= left) return;
  for (let row = top; row < bottom; row++) {
    const start = row * size.width * BYTES_PER_PIXEL;
    picture.fill(0, start + left * BYTES_PER_PIXEL, start + right * BYTES_PER_PIXEL);
  }
}
