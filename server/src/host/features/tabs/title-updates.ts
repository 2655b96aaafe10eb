import type { TabEvents } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { PacedValues } from '../../../platform/time/paced-values.js';

type Update = TabEvents['onUpdated'];

/** Rate limit for the events of one tab that report only {@link LOOKS}. */
const PACE = { perSecond: 5, burst: 10 };
/** Properties that a page can change thousands of times a second. */
const LOOKS: ReadonlySet<string> = new Set(['title', 'favIconUrl']);

/**
 * Limits the rate of `tabs.onUpdated` for the title and the icon of each tab. Events above the rate become
 * one later event. Other changes of a tab are passed on at once, after the waiting event of the tab. For
 * the order with other events, {@link flush} must be called before them.
 */
export class TitleUpdates {
  readonly #updates: PacedValues<number, Update>;

  constructor(
    private readonly publish: (update: Update) => void,
    clock: Clock = systemClock,
  ) {
    this.#updates = new PacedValues((_, update) => this.publish(update), PACE, clock);
  }

  add(update: Update): void {
    const [tab, change] = update;
    if (!isOnlyLooks(change)) {
      this.#updates.flush(tab);
      this.publish(update);
      return;
    }
    this.#updates.add(tab, (waiting) => [tab, { ...waiting?.[1], ...change }, update[2]]);
  }

  /** Publishes the waiting events of all tabs now. */
  flush(): void {
    this.#updates.flushAll();
  }

  /** Forgets a tab that was closed or replaced. */
  forget(tab: number): void {
    this.#updates.forget(tab);
  }

  /** Forgets all tabs, because the browser has ended. */
  clear(): void {
    this.#updates.clear();
  }
}

/** @param change of an event, which may have any type */
function isOnlyLooks(change: unknown): boolean {
  const properties = typeof change === 'object' && change !== null ? Object.keys(change) : [];
  return properties.length > 0 && properties.every((property) => LOOKS.has(property));
}
