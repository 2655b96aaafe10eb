import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { processStatus } from '../../../../server/src/platform/process/proc.js';
import { STOPPED_LOOKS } from '../../../../server/src/platform/process/stopped-watch.js';
import { EgressProcess, type EgressLaunch } from '../../../../server/src/pool/egress-process.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/test-service.js';

const ENTRY = fileURLToPath(new URL('../../../fakes/scripted-egress.mjs', import.meta.url));

/** A socket that no browser connects to. */
async function listener(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let egress: EgressProcess | undefined;
afterEach(() => egress?.close());

/** Starts a process with variables for `scripted-egress.mjs`. */
function launch(environment: Record<string, string>, clock: ManualClock, parts: Partial<EgressLaunch> = {}) {
  return EgressProcess.start({
    entry: ENTRY,
    settings: { allow: [], nameServers: [] },
    environment: { PATH: process.env['PATH'] ?? '', ...environment },
    clock,
    log: quiet,
    onRefused: () => undefined,
    onRestart: () => undefined,
    ...parts,
  });
}

/** Starts a process that answers so many pings. */
async function start(answers: number) {
  const clock = new ManualClock();
  const told: string[] = [];
  const sessions: string[] = [];
  let restarts = 0;
  const tell = (message: string) => void told.push(message);
  const started = await launch({ ANSWERS: `${answers}` }, clock, {
    log: { ...quiet, warn: tell, error: tell },
    onRestart: () => (restarts += 1),
  });
  egress = started;
  const close = started.open(await listener(), null, (what) => sessions.push(`one ${what}`));
  started.open(await listener(), null, (what) => sessions.push(`other ${what}`));
  close();
  return { clock, told, sessions, restarts: () => restarts, egress: started };
}

describe('the egress process', () => {
  it('that does not answer is ended and restarted', async () => {
    const { clock, told, restarts, egress } = await start(0);
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
    const { clock, told, sessions, restarts, egress } = await start(Infinity);
    const { pid = 0 } = egress;
    clock.advance(1_000);
    process.kill(pid, 'SIGKILL');
    while (restarts() === 0 || egress.pid === pid || sessions.length === 0) await turn();
    assert.deepEqual(told, ['the egress process ended and is started again']);
    assert.deepEqual(sessions, ['other restarted']);
  });

  it('that ends right after its start is restarted after a pause', async () => {
    const { clock, restarts, egress } = await start(Infinity);
    const { pid = 0 } = egress;
    process.kill(pid, 'SIGKILL');
    while (restarts() === 0) await turn();
    clock.advance(999);
    assert.equal(egress.pid, pid);
    clock.advance(1);
    while (egress.pid === pid) await turn();
  });

  it('that a signal has stopped is continued, with a notice to its sessions', async () => {
    const { clock, told, sessions, restarts, egress } = await start(Infinity);
    const { pid = 0 } = egress;
    process.kill(pid, 'SIGSTOP');
    while (!processStatus(pid)?.field('State').startsWith('T')) await turn();
    for (let look = 0; look < STOPPED_LOOKS; look++) clock.advance(WATCH_INTERVAL_MS);
    assert.deepEqual(told, ['the egress process was stopped and is continued']);
    assert.deepEqual(sessions, ['other resumed']);
    while (processStatus(pid)?.field('State').startsWith('T')) await turn();
    assert.deepEqual([restarts(), egress.pid], [0, pid]);
  });

  it('that aborts at its start is reported with the limit that it has probably reached', async () => {
    await assert.rejects(launch({ START: 'abort' }, new ManualClock()), {
      code: 'err_egress_failed',
      message: /did not start \(SIGABRT\)\.\nThe limit of processes and threads is reached\. .+ulimit -u/,
    });
  });

  it('that is not ready in time is ended, with the reasons that this can have', async () => {
    const clock = new ManualClock();
    const started = assert.rejects(launch({ START: 'wait' }, clock), {
      code: 'err_egress_failed',
      message: /did not start \(it was not ready after 20 s\. .+SIGSTOP.+\)\./,
    });
    clock.advance(20_000);
    await started;
  });
});
