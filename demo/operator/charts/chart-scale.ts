/** Length of the line for a single value. */
const DOT = 4;

/** Area of a chart's curves in its own units. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Returns two to five round numbers from 0 to at least the largest value, for the grid lines of a chart.
 *
 * @param whole true for counts, which have no fractions
 */
export function ticksFor(largest: number, whole: boolean): number[] {
  if (largest <= 0) return [0, 1];
  const wanted = largest / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= wanted * 0.999) ?? wanted;
  const size = whole ? Math.max(1, step) : step;
  const count = Math.max(1, Math.ceil((largest / size) * 0.999));
  // Multiplies instead of adding, because 0.1 + 0.2 is not 0.3.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(6)));
}

/** Returns the largest value of some lists, or 0 if there is none. */
export function largestOf(lists: readonly (readonly (number | null)[])[]): number {
  return Math.max(0, ...lists.flat().filter((value) => value !== null));
}

/**
 * Returns an SVG path through values, with the last one at the right edge. The path has a gap at a missing
 * value. A single value between gaps is a short dash.
 *
 * @param top value at the upper edge
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
    // Draws backwards, because the latest value is at the edge.
    path += alone ? `M${x} ${y}h-${DOT}` : `${open ? 'L' : 'M'}${x} ${y}`;
    open = true;
  });
  return path;
}
