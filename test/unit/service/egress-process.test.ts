import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../server/src/platform/watchdog.js';
import { EgressProcess } from '../../../server/src/pool/egress-process.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { quiet } from '../../fakes/test-service.js';

const ENTRY = fileURLToPath(new URL('../../fakes/scripted-egress.mjs', import.meta.url));

let egress: EgressProcess;
afterEach(() => egress.close());

/** Starts a process that answers so many pings. */
async function start(answers: number) {
  const clock = new ManualClock();
  const told: string[] = [];
  let restarts = 0;
  egress = await EgressProcess.start({
    entry: ENTRY,
    settings: { allow: [], nameServers: [] },
    environment: { PATH: process.env['PATH'] ?? '', ANSWERS: `${answers}` },
    clock,
    log: { ...quiet, error: (message) => void told.push(message) },
    onRefused: () => undefined,
    onRestart: () => (restarts += 1),
  });
  return { clock, told, restarts: () => restarts };
}

describe('the egress process', () => {
  it('that does not answer any more is ended and started again', async () => {
    const { clock, told, restarts } = await start(0);
    const { pid } = egress;
    for (let look = 0; look <= MISSED_LOOKS; look++) {
      assert.equal(restarts(), 0);
      clock.advance(WATCH_INTERVAL_MS);
    }
    while (restarts() === 0 || egress.pid === pid) await turn();
    assert.deepEqual(told, [
      'the egress process does not answer and is ended',
      'the egress process ended and is started again',
    ]);
  });

  it('that was killed is started again', async () => {
    const { told, restarts } = await start(Infinity);
    const { pid = 0 } = egress;
    process.kill(pid, 'SIGKILL');
    while (restarts() === 0 || egress.pid === pid) await turn();
    assert.deepEqual(told, ['the egress process ended and is started again']);
  });
});
