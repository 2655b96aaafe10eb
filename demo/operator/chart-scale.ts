/** The length of a line through a single value. */
const DOT = 4;

/** The place of a chart's curves, in its own units. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Round numbers from 0 to at least the largest value, two to five of them, for the lines across a chart.
 *
 * @param whole counts have no halves
 */
export function ticksFor(largest: number, whole: boolean): number[] {
  if (largest <= 0) return [0, 1];
  const wanted = largest / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= wanted * 0.999) ?? wanted;
  const size = whole ? Math.max(1, step) : step;
  const count = Math.max(1, Math.ceil((largest / size) * 0.999));
  // Not by adding up: 0.1 + 0.2 is not 0.3.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(6)));
}

/** The largest value of some lists; 0 when there is none. */
export function largestOf(lists: readonly (readonly (number | null)[])[]): number {
  return Math.max(0, ...lists.flat().filter((value) => value !== null));
}

/**
 * An SVG path through values, the last of them at the right edge. Where a value is not known the line is broken; one that stands alone is a short dash.
 *
 * @param top the value at the upper edge
 */
export function pathOf(values: readonly (number | null)[], top: number, area: Area): string {
  const step = (area.right - area.left) / Math.max(1, values.length - 1);
  let path = '';
  let open = false;
  values.forEach((value, index) => {
    if (value === null) {
      open = false;
      return;
    }
    const x = (area.left + index * step).toFixed(1);
    const y = (area.bottom - (value / top) * (area.bottom - area.top)).toFixed(1);
    const alone = !open && (values[index + 1] ?? null) === null;
    // Backwards, since the newest value stands at the edge.
    path += alone ? `M${x} ${y}h-${DOT}` : `${open ? 'L' : 'M'}${x} ${y}`;
    open = true;
  });
  return path;
}
