import assert from 'node:assert/strict';
import { CHROMIUM_MAIN, onlyProcess, PULSE_AUDIO, SESSION_HOST, XORG } from './support/processes.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;
/** A program that does not answer is given 12 s, and some more to be started again on a busy machine. */
const LIMIT_MS = 40_000;

// Each takes 15 s; openbox, the network service and the renderer are in the table of test/faults.
test.describe('what hangs', () => {
  for (const { name, command, told } of [
    { name: 'Chromium', command: CHROMIUM_MAIN, told: /did not answer any more and was started again/ },
    { name: 'Xorg', command: XORG, told: /did not answer any more and was started again/ },
    { name: 'PulseAudio', command: PULSE_AUDIO, told: /sound was interrupted/ },
  ]) {
    test(`is started again with its reason when it is ${name}`, async ({ service, pages, watch }) => {
      const marker = pages.page('marker');
      const session = await service.create({ start_url: marker.url, ...SIZE });
      const viewer = await watch(session, { viewport: SIZE });
      await viewer.shows(BLUE, 400, 300);
      await marker.loaded();
      const began = performance.now();
      process.kill(onlyProcess(service.pid, command).pid, 'SIGSTOP');
      await until('viewers are told', async () => told.test(await viewer.status()), LIMIT_MS);
      note(`${name}: ${(performance.now() - began).toFixed(0)} ms`);
      const lines = service.process.logTail.split('\n');
      assert.ok(lines.some((line) => line.includes(`${name} does not answer and is ended`)));
      await viewer.shows(BLUE, 400, 300);
      assert.equal((await service.view(session))['state'], 'running');
      await service.end(session);
    });
  }

  test('ends its session with the reason when it is the host', async ({ service, pages, watch }) => {
    const marker = pages.page('marker');
    const session = await service.create({ start_url: marker.url, ...SIZE });
    const viewer = await watch(session, { viewport: SIZE });
    await viewer.shows(BLUE, 400, 300);
    const began = performance.now();
    process.kill(onlyProcess(service.pid, SESSION_HOST).pid, 'SIGSTOP');
    const ended = await until(
      'the session has ended',
      async () => {
        const view = await service.view(session);
        return view['state'] === 'ended' && view;
      },
      LIMIT_MS,
    );
    note(`host: ${(performance.now() - began).toFixed(0)} ms`);
    assert.equal(ended['termination_reason'], 'crashed');
    const lines = service.process.logTail.split('\n');
    assert.ok(lines.some((line) => line.includes('a session host does not answer and is ended')));
    await until('the viewer is told', async () => (await viewer.status()) !== '', LIMIT_MS);
  });

  test('for some seconds goes on as if nothing was', async ({ service, pages, watch }) => {
    const marker = pages.page('marker');
    const session = await service.create({ start_url: marker.url, ...SIZE });
    const viewer = await watch(session, { viewport: SIZE });
    await viewer.shows(BLUE, 400, 300);
    await marker.loaded();
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
    await service.end(session);
  });
});
