/**
 * Pixels per line for a wheel that counts in lines. Three lines are 120 pixels, the usual distance of one
 * notch.
 */
const LINE_PIXELS = 40;
/** Value of `wheelDelta` for one notch of a mouse wheel. */
const NOTCH_DELTA = 120;

/**
 * The part of a WheelEvent that contains the distance. Some browsers have neither `wheelDeltaX` nor
 * `wheelDeltaY`.
 */
export interface WheelMeasure {
  readonly deltaMode: number;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly shiftKey: boolean;
  readonly wheelDeltaX?: number;
  readonly wheelDeltaY?: number;
}

/** Distance to scroll the remote page, in its CSS pixels. */
export interface RemoteDelta {
  deltaX: number;
  deltaY: number;
  notched: boolean;
}

/**
 * Converts a wheel event. `scale` is the number of CSS pixels of the local page per CSS pixel of the remote
 * page. With it, a gesture of one centimetre scrolls the picture by one centimetre, even if the picture is
 * small. `remote` is the size of the remote screen in CSS pixels of the remote page.
 */
export function remoteDelta(
  event: WheelMeasure,
  scale: number,
  remote: { width: number; height: number },
): RemoteDelta {
  // Reads the mode before the deltas. Otherwise Firefox does not use line mode.
  const mode = event.deltaMode;
  let deltaX = inPixels(event.deltaX, mode, scale, remote.width);
  let deltaY = inPixels(event.deltaY, mode, scale, remote.height);
  // With Shift most browsers turn the wheel sideways themselves. Firefox leaves this to the listener.
  if (event.shiftKey && deltaX === 0) [deltaX, deltaY] = [deltaY, 0];
  return { deltaX, deltaY, notched: mode !== WheelEvent.DOM_DELTA_PIXEL || isNotched(event) };
}

function inPixels(delta: number, mode: number, scale: number, page: number): number {
  if (mode === WheelEvent.DOM_DELTA_LINE) return delta * LINE_PIXELS;
  if (mode === WheelEvent.DOM_DELTA_PAGE) return delta * page;
  return delta / scale;
}

/**
 * Returns true for a mouse wheel, which reports whole notches in `wheelDelta`. A touchpad reports three times
 * its pixels in `wheelDelta`. This value does not count as notches, although it may be a multiple of a notch.
 */
function isNotched(event: WheelMeasure): boolean {
  const axes = [
    { ticks: event.wheelDeltaX ?? 0, delta: event.deltaX },
    { ticks: event.wheelDeltaY ?? 0, delta: event.deltaY },
  ];
  const turned = axes.filter(({ ticks }) => ticks !== 0);
  return (
    turned.length > 0 && turned.every(({ ticks, delta }) => ticks % NOTCH_DELTA === 0 && ticks !== -3 * delta)
  );
}
