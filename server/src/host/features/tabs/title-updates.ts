import type { TabEvents } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { PacedTask } from '../../../platform/time/paced-task.js';

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
  readonly #tabs = new Map<number, { waiting: Update | undefined; task: PacedTask }>();

  constructor(
    private readonly publish: (update: Update) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  add(update: Update): void {
    const [tab, change] = update;
    if (!isOnlyLooks(change)) {
      this.#publish(tab);
      this.publish(update);
      return;
    }
    const paced = this.#tabs.get(tab) ?? {
      waiting: undefined,
      task: new PacedTask(() => this.#publish(tab), PACE, this.clock),
    };
    this.#tabs.set(tab, paced);
    paced.waiting = [tab, { ...paced.waiting?.[1], ...change }, update[2]];
    paced.task.ask();
  }

  /** Publishes the waiting events of all tabs now. */
  flush(): void {
    for (const tab of this.#tabs.keys()) this.#publish(tab);
  }

  /** Forgets a tab that was closed or replaced. */
  forget(tab: number): void {
    this.#tabs.get(tab)?.task.close();
    this.#tabs.delete(tab);
  }

  /** Forgets all tabs, because the browser has ended. */
  clear(): void {
    for (const tab of [...this.#tabs.keys()]) this.forget(tab);
  }

  #publish(tab: number): void {
    const paced = this.#tabs.get(tab);
    if (!paced?.waiting) return;
    const update = paced.waiting;
    paced.waiting = undefined;
    this.publish(update);
  }
}

/** @param change of an event, which may have any type */
function isOnlyLooks(change: unknown): boolean {
  const properties = typeof change === 'object' && change !== null ? Object.keys(change) : [];
  return properties.length > 0 && properties.every((property) => LOOKS.has(property));
}
