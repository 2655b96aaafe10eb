/** What one line of a wheel that counts in lines is worth, in pixels: three of them make the usual notch of 120. */
const LINE_PIXELS = 40;
/** What `wheelDelta` counts for one notch of a mouse wheel. */
const NOTCH_DELTA = 120;

/** The part of a WheelEvent that tells how far; `wheelDelta…` is missing in some browsers. */
export interface WheelMeasure {
  readonly deltaMode: number;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly shiftKey: boolean;
  readonly wheelDeltaX?: number;
  readonly wheelDeltaY?: number;
}

/** How far to scroll the remote page, in its CSS pixels. */
export interface RemoteDelta {
  deltaX: number;
  deltaY: number;
  notched: boolean;
}

/**
 * Reads a wheel event. `scale` is page pixels per pixel of the remote page: a finger that moves the picture by a centimetre scrolls
 * it by a centimetre, however small it is shown.
 */
export function remoteDelta(
  event: WheelMeasure,
  scale: number,
  remote: { width: number; height: number },
): RemoteDelta {
  // Firefox counts in lines only for those who ask for the mode before the deltas.
  const mode = event.deltaMode;
  let deltaX = inPixels(event.deltaX, mode, scale, remote.width);
  let deltaY = inPixels(event.deltaY, mode, scale, remote.height);
  // Most browsers turn a wheel with Shift sideways themselves; Firefox leaves it to the listener.
  if (event.shiftKey && deltaX === 0) [deltaX, deltaY] = [deltaY, 0];
  return { deltaX, deltaY, notched: mode !== WheelEvent.DOM_DELTA_PIXEL || isNotched(event) };
}

function inPixels(delta: number, mode: number, scale: number, page: number): number {
  if (mode === WheelEvent.DOM_DELTA_LINE) return delta * LINE_PIXELS;
  if (mode === WheelEvent.DOM_DELTA_PAGE) return delta * page;
  return delta / scale;
}

/**
 * A mouse wheel reports whole notches in `wheelDelta`. A touchpad reports three times its pixels there, which may happen
 * to be a multiple of a notch too.
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
