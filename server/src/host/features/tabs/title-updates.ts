import type { TabEvents } from 'cloud-browser/protocol';
import { isRecord } from '../../../platform/is-record.js';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { PacedValues } from '../../../platform/time/paced-values.js';

type Update = TabEvents['onUpdated'];

/** Rate limit for the events of one tab that report only {@link LOOKS}, or a {@link LONG_CHARS} address. */
const PACE = { perSecond: 5, burst: 10 };
/** Properties that a page can change thousands of times a second. */
const LOOKS: ReadonlySet<string> = new Set(['title', 'favIconUrl']);
/** Properties that a page changes at most about 20 times a second, because Chromium limits it. */
const PLACES: ReadonlySet<string> = new Set(['url', 'status']);
/** Number of characters above which the address of a tab counts as long. Each event contains it twice. */
const LONG_CHARS = 2_048;

/**
 * Limits the rate of `tabs.onUpdated` for the title and the icon of each tab. While a tab has a long address,
 * also limits the rate for its address and its loading state. Events above the rate become one later event.
 * Other changes of a tab are passed on at once, after the waiting event of the tab. For the order with other
 * events, {@link flush} must be called before them.
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
    if (!isPaced(change, update[2])) {
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

/** @param change and the tab of an event, which may have any type */
function isPaced(change: unknown, tab: unknown): boolean {
  const properties = isRecord(change) ? Object.keys(change) : [];
  const isLong = isRecord(tab) && typeof tab['url'] === 'string' && tab['url'].length > LONG_CHARS;
  const isPart = (property: string) => LOOKS.has(property) || (isLong && PLACES.has(property));
  return properties.length > 0 && properties.every(isPart);
}
