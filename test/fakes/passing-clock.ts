import type { Timer } from '../../server/src/platform/time/clock.js';
import { ManualClock } from './manual-clock.js';

/** A clock whose short timers end at once. */
export class PassingClock extends ManualClock {
  override setTimeout(run: () => void, milliseconds: number): Timer {
    if (milliseconds <= 1_000) setImmediate(run);
    return super.setTimeout(() => undefined, milliseconds);
  }
}
