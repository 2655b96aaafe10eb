import type { Clock } from '../../../../platform/time/clock.js';
import { PacedValues } from '../../../../platform/time/paced-values.js';

/** Rate limit for the titles of one tab. A page can change its title thousands of times a second. */
const PACE = { perSecond: 1, burst: 5 };

/** Limits the rate of the titles of each tab. The last title of a tab is always written. */
export class PacedTitles {
  readonly #titles: PacedValues<string, string>;

  constructor(write: (tab: string, title: string) => void, clock: Clock) {
    this.#titles = new PacedValues(write, PACE, clock);
  }

  add(tab: string, title: string): void {
    this.#titles.add(tab, () => title);
  }

  /** Writes the waiting titles now, of one tab or of all tabs. */
  flush(only?: string): void {
    if (only === undefined) this.#titles.flushAll();
    else this.#titles.flush(only);
  }

  /** Forgets a tab and its waiting title. */
  forget(tab: string): void {
    this.#titles.forget(tab);
  }

  /** Writes the waiting titles, and forgets all tabs. */
  end(): void {
    this.#titles.flushAll();
    this.#titles.clear();
  }
}
