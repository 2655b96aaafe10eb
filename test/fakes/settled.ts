import { setTimeout as pause } from 'node:timers/promises';

/** Nobody tells when nothing more happens: a number that has not changed for so long is taken for its last. */
const QUIET_MS = 100;

/** Resolves when a number does not change any more. */
export async function settled(read: () => number): Promise<void> {
  let before = NaN;
  while (before !== read()) {
    before = read();
    await pause(QUIET_MS);
  }
}
