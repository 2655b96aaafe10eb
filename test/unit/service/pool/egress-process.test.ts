import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { processStatus } from '../../../../server/src/platform/process/proc.js';
import { STOPPED_LOOKS } from '../../../../server/src/platform/process/stopped-watch.js';
import { EgressProcess } from '../../../../server/src/pool/egress-process.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/test-service.js';

const ENTRY = fileURLToPath(new URL('../../../fakes/scripted-egress.mjs', import.meta.url));

/** A socket that no browser connects to. */
async function listener(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let egress: EgressProcess;
afterEach(() => egress.close());

/** Starts a process that answers so many pings. */
async function start(answers: number) {
  const clock = new ManualClock();
  const told: string[] = [];
  const sessions: string[] = [];
  let restarts = 0;
  egress = await EgressProcess.start({
    entry: ENTRY,
    settings: { allow: [], nameServers: [] },
    environment: { PATH: process.env['PATH'] ?? '', ANSWERS: `${answers}` },
    clock,
    log: {
      ...quiet,
      warn: (message) => void told.push(message),
      error: (message) => void told.push(message),
    },
    onRefused: () => undefined,
    onRestart: () => (restarts += 1),
  });
  const close = egress.open(await listener(), null, (what) => sessions.push(`one ${what}`));
  egress.open(await listener(), null, (what) => sessions.push(`other ${what}`));
  close();
  return { clock, told, sessions, restarts: () => restarts };
}

describe('the egress process', () => {
  it('that does not answer is ended and restarted', async () => {
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

  it('that was killed is restarted', async () => {
    const { clock, told, sessions, restarts } = await start(Infinity);
    const { pid = 0 } = egress;
    clock.advance(1_000);
    process.kill(pid, 'SIGKILL');
    while (restarts() === 0 || egress.pid === pid || sessions.length === 0) await turn();
    assert.deepEqual(told, ['the egress process ended and is started again']);
    assert.deepEqual(sessions, ['other restarted']);
  });

  it('that ends right after its start is restarted after a pause', async () => {
    const { clock, restarts } = await start(Infinity);
    const { pid = 0 } = egress;
    process.kill(pid, 'SIGKILL');
    while (restarts() === 0) await turn();
    clock.advance(999);
    assert.equal(egress.pid, pid);
    clock.advance(1);
    while (egress.pid === pid) await turn();
  });

  it('that a signal has stopped is continued, with a notice to its sessions', async () => {
    const { clock, told, sessions, restarts } = await start(Infinity);
    const { pid = 0 } = egress;
    process.kill(pid, 'SIGSTOP');
    while (!processStatus(pid)?.field('State').startsWith('T')) await turn();
    for (let look = 0; look < STOPPED_LOOKS; look++) clock.advance(WATCH_INTERVAL_MS);
    assert.deepEqual(told, ['the egress process was stopped and is continued']);
    assert.deepEqual(sessions, ['other resumed']);
    while (processStatus(pid)?.field('State').startsWith('T')) await turn();
    assert.deepEqual([restarts(), egress.pid], [0, pid]);
  });
});
