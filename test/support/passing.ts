import { setImmediate as turn } from 'node:timers/promises';
import type { ManualClock } from '../fakes/manual-clock.js';

/** Runs everything that is due now. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 4; count++) await turn();
}

/** Advances time in small steps, and runs everything that becomes due. */
export async function pass(clock: ManualClock, milliseconds: number, step = 250): Promise<void> {
  await settle();
  for (let left = milliseconds; left > 0; left -= step) {
    clock.advance(Math.min(left, step));
    await settle();
  }
}
