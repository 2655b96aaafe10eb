import type { Clock } from '../../../../platform/time/clock.js';
import { PacedTask } from '../../../../platform/time/paced-task.js';

/** Rate limit for the titles of one tab. A page can change its title thousands of times a second. */
const PACE = { perSecond: 1, burst: 5 };

interface PacedTitle {
  /** Undefined if the last title was written. */
  waiting: string | undefined;
  task: PacedTask;
}

/** Limits the rate of the titles of each tab. The last title of a tab is always written. */
export class PacedTitles {
  readonly #tabs = new Map<string, PacedTitle>();

  constructor(
    private readonly write: (tab: string, title: string) => void,
    private readonly clock: Clock,
  ) {}

  add(tab: string, title: string): void {
    const paced = this.#tabs.get(tab) ?? {
      waiting: undefined,
      task: new PacedTask(() => this.#write(tab), PACE, this.clock),
    };
    this.#tabs.set(tab, paced);
    paced.waiting = title;
    paced.task.ask();
  }

  /** Writes the waiting titles now, of one tab or of all tabs. */
  flush(only?: string): void {
    for (const tab of only === undefined ? this.#tabs.keys() : [only]) this.#write(tab);
  }

  /** Forgets a tab and its waiting title. */
  forget(tab: string): void {
    this.#tabs.get(tab)?.task.close();
    this.#tabs.delete(tab);
  }

  /** Writes the waiting titles, and forgets all tabs. */
  end(): void {
    this.flush();
    for (const tab of [...this.#tabs.keys()]) this.forget(tab);
  }

  #write(tab: string): void {
    const paced = this.#tabs.get(tab);
    if (paced?.waiting === undefined) return;
    const title = paced.waiting;
    paced.waiting = undefined;
    this.write(tab, title);
  }
}
