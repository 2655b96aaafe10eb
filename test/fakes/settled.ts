import { setTimeout as pause } from 'node:timers/promises';

/** There is no event for the end of changes. A number that has not changed for this time counts as final. */
const QUIET_MS = 100;

/**
 * Resolves when a number does not change any more.
 *
 * @param begun it has changed as it must before: on a busy machine it may rest earlier than it begins to
 */
export async function settled(
  read: () => number,
  begun: (value: number) => boolean = () => true,
): Promise<void> {
  let before = NaN;
  while (before !== read() || !begun(before)) {
    before = read();
    await pause(QUIET_MS);
  }
}
