import type { Place } from './person.js';
import type { Random } from './random.js';

/** The lower end of the browser's own interface, as a part of the screen's height. */
const INTERFACE = 0.12;

/** A place on the page. */
export function onPage(random: Random): Place {
  return { across: random.next(), down: INTERFACE + random.next() * (1 - INTERFACE) };
}

/**
 * A random place on the browser's own interface. The ends, where the buttons are, are more likely than the
 * middle.
 */
export function onInterface(random: Random): Place {
  const across = random.pick([random.next(), random.next() * 0.2, 1 - random.next() * 0.15]);
  return { across, down: random.next() * INTERFACE };
}

/** The place in a few characters. */
export function describe({ across, down }: Place): string {
  return `${across.toFixed(2)}, ${down.toFixed(2)}`;
}
