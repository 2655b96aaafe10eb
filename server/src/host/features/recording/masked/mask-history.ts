import type { Size } from '../../../../platform/screen-size.js';
import type { Rect } from '../../../capture/frame-source.js';

/** Areas of the screen that show masked fields. `unknown` if a page did not answer. */
export type MaskedAreas = readonly Rect[] | 'unknown';

/**
 * Maximum delay of the display behind the pages, in milliseconds. A page answers with the current position of
 * a field, but the display may still show an earlier position. After a navigation the browser shows the old
 * page for up to 500 ms.
 */
export const DISPLAY_DELAY_MS = 1_000;

/** Areas to paint black in a picture. */
export interface BlackAreas {
  areas: Rect[];
  /** True if the fields have not moved, appeared or disappeared around the time of the picture. */
  atRest: boolean;
}

interface Sample {
  at: number;
  areas: MaskedAreas;
}

/**
 * Remembers the positions of masked fields, and decides which areas of a picture are black. A sample has the
 * positions at one moment. Between two samples, a field can be at any place. So while a field moves up and
 * down, its columns are black in the full height. While it moves to the left and right, its rows are black.
 * After any other change the whole picture is black.
 */
export class MaskHistory {
  #samples: Sample[] = [];

  get isEmpty(): boolean {
    return this.#samples.length === 0;
  }

  /** Adds the areas that pages reported. `at` is the time of the request, in milliseconds. */
  add(at: number, areas: MaskedAreas): void {
    this.#samples.push({ at, areas });
    this.#samples.sort((a, b) => a.at - b.at);
  }

  /**
   * Returns the black areas of a picture that was read at `time`. Forgets samples that are too old to matter.
   */
  blackAt(time: number, screen: Size): BlackAreas {
    const before = this.#samples.findLastIndex(({ at }) => at <= time - DISPLAY_DELAY_MS);
    this.#samples = this.#samples.slice(Math.max(0, before));
    const whole = { areas: [{ x: 0, y: 0, ...screen }], atRest: false };
    const known: (readonly Rect[])[] = [];
    for (const { areas } of this.#samples) {
      if (areas === 'unknown') return whole;
      known.push(areas);
    }
    const [first] = known;
    if (!first || known.some(({ length }) => length !== first.length)) return whole;
    const fields = first.map((_, index) => known.flatMap((areas) => areas[index] ?? []));
    return {
      areas: fields.map((places) => around(places, screen)),
      atRest: fields.every((places) => same(places, ({ x, y, width, height }) => [x, y, width, height])),
    };
  }
}

/** Returns the area that a field may cover while it moves between these positions. */
function around(places: readonly Rect[], screen: Size): Rect {
  const x = Math.min(...places.map((place) => place.x));
  const y = Math.min(...places.map((place) => place.y));
  const width = Math.max(...places.map((place) => place.x + place.width)) - x;
  const height = Math.max(...places.map((place) => place.y + place.height)) - y;
  // The field stays at its position, and has at most changed its size, for example while a user types.
  if (same(places, (place) => [place.x, place.y])) return { x, y, width, height };
  if (same(places, (place) => [place.x, place.width])) return { x, y: 0, width, height: screen.height };
  if (same(places, (place) => [place.y, place.height])) return { x: 0, y, width: screen.width, height };
  return { x: 0, y: 0, ...screen };
}

/**
 * Returns true if all positions have the same values. Tolerates small differences, because layout may round
 * values differently.
 */
function same(places: readonly Rect[], valuesOf: (place: Rect) => number[]): boolean {
  const first = places[0] && valuesOf(places[0]);
  return places.every((place) =>
    valuesOf(place).every((value, index) => Math.abs(value - (first?.[index] ?? 0)) < 0.1),
  );
}
