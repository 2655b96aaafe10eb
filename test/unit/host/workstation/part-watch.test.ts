import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { watchParts, type PartHang } from '../../../../server/src/host/workstation/part-watch.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** Number of checks from the first unanswered one until the process is ended. */
const UNTIL_ENDED = MISSED_LOOKS + 1;

let clock: ManualClock;
let killed: string[];
let hangs: PartHang[];
let silent: Set<string>;
beforeEach(() => {
  clock = new ManualClock();
  [killed, hangs, silent] = [[], [], new Set()];
});

function part(name: string) {
  return {
    process: { name, kill: () => void killed.push(name) },
    answers: () => (silent.has(name) ? new Promise(() => undefined) : Promise.resolve()),
  };
}

const watch = () => watchParts([part('Xorg'), part('Chromium')], (hang) => hangs.push(hang), clock);

async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    clock.advance(WATCH_INTERVAL_MS);
    await turn();
  }
}

describe('the monitor of session processes', () => {
  it('ends the first one that does not answer, and then stops', async () => {
    watch();
    for (const name of ['Xorg', 'Chromium']) silent.add(name);
    await looks(10 * UNTIL_ENDED);
    assert.deepEqual(killed, ['Xorg']);
    assert.deepEqual(
      hangs.map(({ name, alone }) => [name, alone]),
      [['Xorg', false]],
    );
    assert.equal(clock.pending, 0);
  });

  it('ends no process after it was closed', async () => {
    const stop = watch();
    silent.add('Xorg');
    await looks(2);
    stop();
    await looks(UNTIL_ENDED);
    assert.deepEqual(killed, []);
  });
});
