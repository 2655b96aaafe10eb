/** What a side of a remote screen may be, in pixels, and how many pixels it may have in all. */
export const SIDE = { min: 256, max: 3840 };
export const MAX_AREA = 1920 * 1080;

/** Chromium makes no window with tabs narrower than this; on a smaller screen its right edge would be out of sight. */
const MIN_TABBED_WIDTH = 500;

/** What a session is asked for whose screen follows its room: as fine as this page's own screen, as large as there can be. */
export const FOLLOWING = { pixel_ratio: 'auto', max_area: MAX_AREA } as const;

/** Whether the screen may follow the room: not where Chromium's tabs would not fit. */
export function follows(room: { width: number }, kiosk: boolean): boolean {
  return kiosk || room.width >= MIN_TABBED_WIDTH;
}

/** The room's own size, or of its shape, brought inside what a remote screen may be. */
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
