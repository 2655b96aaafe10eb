import { setImmediate as turn } from 'node:timers/promises';
import type { ManualClock } from '../fakes/manual-clock.js';

/** Lets everything happen that is due now. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 4; count++) await turn();
}

/** Lets time pass in small steps, and everything happen that falls due on the way. */
export async function pass(clock: ManualClock, milliseconds: number, step = 250): Promise<void> {
  await settle();
  for (let left = milliseconds; left > 0; left -= step) {
    clock.advance(Math.min(left, step));
    await settle();
  }
}
