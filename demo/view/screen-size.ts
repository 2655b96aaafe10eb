/** Limits of a remote screen: its sides in pixels and its total number of pixels. */
export const SIDE = { min: 256, max: 3840 };
export const MAX_AREA = 1920 * 1080;

/** Minimum width of a Chromium window with tabs. On a smaller screen its right edge would be invisible. */
const MIN_TABBED_WIDTH = 500;

/**
 * Request fields for a screen that follows the available space: the pixel ratio of this page's screen, and
 * the maximum area.
 */
export const FOLLOWING = { pixel_ratio: 'auto', max_area: MAX_AREA } as const;

/** Returns true if the screen can follow the available space. Chromium's tabs need a minimum width. */
export function follows(room: { width: number }, kiosk: boolean): boolean {
  return kiosk || room.width >= MIN_TABBED_WIDTH;
}

/**
 * Returns the size of the available space. If it exceeds the limits of a remote screen, returns a size with
 * the same shape.
 */
export function fitting(
  room: { width: number; height: number },
  kiosk: boolean,
): { width: number; height: number } {
  const minWidth = kiosk ? SIDE.min : MIN_TABBED_WIDTH;
  const grown = Math.max(1, minWidth / room.width);
  const scale = Math.min(grown, Math.sqrt(MAX_AREA / (room.width * room.height)));
  const side = (value: number) => Math.max(SIDE.min, Math.min(SIDE.max, Math.floor(value * scale)));
  return { width: side(room.width), height: side(room.height) };
}
