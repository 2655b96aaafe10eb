import assert from 'node:assert/strict';
import { canHold, hold, release } from '../../support/hold.js';
import { atEnd } from '../support/cleanup.js';
import {
  CHROMIUM_MAIN,
  descendants,
  onlyProcess,
  PULSE_AUDIO,
  SESSION_HOST,
  XORG,
} from '../support/processes.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;
/** A program that does not answer is ended after 12 s. A restart on a busy machine takes some time more. */
const LIMIT_MS = 40_000;

/** Parts that hang, and the notice that viewers then read. */
const PARTS = [
  {
    name: 'Chromium',
    command: CHROMIUM_MAIN,
    told: /was started again. If it stops again soon, it opens an empty page/,
  },
  { name: 'Xorg', command: XORG, told: /was started again. If it stops again soon, it opens an empty page/ },
  { name: 'PulseAudio', command: PULSE_AUDIO, told: /sound was interrupted/ },
  { name: 'a session host', command: SESSION_HOST, told: /./ },
];

// openbox and the renderer are in the table of test/faults.
test.describe('a part of a session that hangs', () => {
  // Each part has its own session, and all limits of 12 s run at the same time.
  // Proves: a process that hangs is ended, a starved one is not
  test('is restarted, or ends the session with a reason', async ({ service, pages, watch }) => {
    test.skip(!canHold || process.getuid?.() !== 0, 'A process is held by root, with Python.');
    const struck = [];
    for (const part of PARTS) {
      const others = hostsOf(service);
      const marker = pages.page('marker');
      const session = await service.create({ start_url: marker.url, ...SIZE });
      const viewer = await watch(session, { viewport: SIZE });
      await viewer.shows(BLUE, 400, 300);
      await marker.loaded();
      const host = hostsOf(service).find((pid) => !others.includes(pid));
      assert.ok(host);
      struck.push({ ...part, session, viewer, host });
    }
    // The service continues a process that a signal has stopped, see test/faults.
    const began = performance.now();
    for (const { host, command } of struck) {
      const holder = await hold(inHost(host, command));
      atEnd(() => release(holder));
    }
    const state = async (session: Session) => {
      const { state, termination_reason: reason } = await service.view(session);
      return reason ?? state;
    };
    await Promise.all(
      struck.map(async ({ name, command, told, session, viewer }) => {
        const ends = command === SESSION_HOST;
        if (ends)
          await until(`it has ended: ${name}`, async () => (await state(session)) === 'crashed', LIMIT_MS);
        await until(`viewers are told of ${name}`, async () => told.test(await viewer.status()), LIMIT_MS);
        note(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
        // The notice and the log line arrive independently.
        await until(`the log tells of ${name}`, () =>
          service.process.logTail.includes(`${name} does not answer and is ended`),
        );
        if (ends) return;
        await viewer.shows(BLUE, 400, 300);
        assert.equal(await state(session), 'running', name);
        await service.end(session);
      }),
    );
  });

  // Proves: a process that hangs is ended, a starved one is not
  test('for a few seconds continues as before', async ({ show, service, watch }) => {
    const { remote: marker, session } = await show('marker', SIZE);
    const viewer = await watch(session, { viewport: SIZE });
    await viewer.shows(BLUE, 400, 300);
    const parts = [SESSION_HOST, CHROMIUM_MAIN, XORG].map((command) => onlyProcess(service.pid, command).pid);
    const at = performance.now();
    for (const pid of parts) process.kill(pid, 'SIGSTOP');
    await until('five seconds have passed', () => performance.now() - at > 5_000);
    for (const pid of parts) process.kill(pid, 'SIGCONT');
    await marker.run("addEventListener('keydown', ({ key }) => report({ event: key }))");
    await until('the page gets a key', async () => {
      await viewer.page.mouse.click(400, 300);
      await viewer.page.keyboard.press('a');
      return marker.count('a') > 0;
    });
    assert.equal(onlyProcess(service.pid, CHROMIUM_MAIN).pid, parts[1]);
    assert.equal(onlyProcess(service.pid, XORG).pid, parts[2]);
  });
});

/** The pids of a service's session hosts. */
function hostsOf(service: Service): number[] {
  return descendants(service.pid)
    .filter(({ command }) => SESSION_HOST.test(command))
    .map(({ pid }) => pid);
}

/** The pid of a part of a session: of its host, or of a program that the host started. */
function inHost(host: number, command: RegExp): number {
  return command === SESSION_HOST ? host : onlyProcess(host, command).pid;
}
