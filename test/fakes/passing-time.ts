import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

const STEP_MS = 50;

/** Replaces timers and `performance.now()` by a clock that advances only in {@link pass}. */
export class PassingTime {
  #now = 1;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => this.#now);
  }

  /** Lets time pass, and runs everything that is due then. */
  async pass(milliseconds: number): Promise<void> {
    await settle();
    for (let left = milliseconds; left > 0; left -= STEP_MS) {
      const step = Math.min(left, STEP_MS);
      this.#now += step;
      mock.timers.tick(step);
      await settle();
    }
  }

  /** Lets time pass in which this thread is busy, so that no timer fires. */
  work(milliseconds: number): void {
    this.#now += milliseconds;
  }

  restore(): void {
    mock.timers.reset();
    mock.restoreAll();
  }
}

/** Runs everything that is due now. Messages need some turns to pass through a pipe. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 8; count++) await turn();
}
