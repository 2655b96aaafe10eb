import type { Cursor } from '../protocol/index.js';

/** Browsers refuse larger cursors. */
const MAX_CURSOR_PIXELS = 128;
/** Nothing but this may come into a style. */
const PNG = /^data:image\/png;base64,[A-Za-z0-9+/]+=*$/;

/**
 * The CSS `cursor` for a remote pointer shape. It keeps its own size however the picture is scaled: it is the user's
 * pointer, not a part of the picture. A shape that cannot be shown becomes the ordinary arrow.
 */
export function cssCursor(cursor: Cursor): string {
  if (cursor.shape === 'none') return 'none';
  const { url, width = 0, height = 0, hotX = 0, hotY = 0 } = cursor;
  if (!url || !PNG.test(url) || Math.max(width, height) > MAX_CURSOR_PIXELS) return 'default';
  return `url("${url}") ${within(hotX, width)} ${within(hotY, height)}, default`;
}

function within(hot: number, size: number): number {
  return Math.max(0, Math.min(Math.round(hot), Math.max(0, size - 1)));
}
