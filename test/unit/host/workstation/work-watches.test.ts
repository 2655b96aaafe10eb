import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CdpConnection } from '../../../../server/src/host/browser/cdp/cdp-connection.js';
import type { PartHang } from '../../../../server/src/host/workstation/part-watch.js';
import { WorkWatches } from '../../../../server/src/host/workstation/work-watches.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { Duplex } from 'node:stream';

/** Number of checks from the first unanswered one until the part is ended. */
const UNTIL_ENDED = MISSED_LOOKS + 1;

function open(clock: ManualClock, silent: () => boolean) {
  const hangs: PartHang[] = [];
  const killed: string[] = [];
  const process = (name: string) => ({ name, pid: -1, kill: () => void killed.push(name) });
  const answers = () => (silent() ? new Promise<void>(() => undefined) : Promise.resolve());
  const pipe = new Duplex({ read: () => undefined, write: (_data, _encoding, done) => done() });
  const parts = {
    display: { process: process('Xorg'), answers },
    windowManager: process('openbox'),
    ping: { answers },
    chromium: { process: process('Chromium'), cdp: new CdpConnection(pipe, pipe), answers },
    pages: { front: () => Promise.resolve(undefined), mainFrame: () => undefined },
  };
  const listener = { onHang: (hang: PartHang) => void hangs.push(hang), onPageHung: () => undefined };
  return { watches: new WorkWatches(parts, listener, clock), hangs, killed };
}

async function looks(clock: ManualClock, count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    clock.advance(WATCH_INTERVAL_MS);
    await turn();
  }
}

describe('the checks of a workstation', () => {
  it('do not take frozen parts for hanging ones, and begin anew when the parts continue', async () => {
    const clock = new ManualClock();
    let silent = true;
    const { watches, hangs, killed } = open(clock, () => silent);
    // Requests before the freeze stay unanswered.
    await looks(clock, MISSED_LOOKS - 1);
    watches.pause(true);
    assert.equal(clock.pending, 0);
    await looks(clock, 10 * UNTIL_ENDED);
    assert.deepEqual([hangs, killed], [[], []]);
    silent = false;
    watches.pause(false);
    await looks(clock, 3 * UNTIL_ENDED);
    assert.deepEqual(killed, []);
    silent = true;
    await looks(clock, UNTIL_ENDED);
    assert.deepEqual(killed, ['Xorg']);
    watches.close();
  });

  it('do not begin again after the end', () => {
    const clock = new ManualClock();
    const { watches } = open(clock, () => false);
    watches.pause(true);
    watches.close();
    watches.pause(false);
    assert.equal(clock.pending, 0);
  });
});
