import assert from 'node:assert/strict';
import { hold } from '../../support/limits.js';
import { CHROMIUM_MAIN, descendants, onlyProcess, XORG } from '../support/processes.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;
const RENDERER = /^\/usr\/lib\/chromium\/chromium --type=renderer/;

const kill = ({ pid }: Service, command: RegExp) => process.kill(onlyProcess(pid, command).pid, 'SIGKILL');
const killRenderers = ({ pid }: Service) => {
  for (const { pid: renderer } of descendants(pid).filter(({ command }) => RENDERER.test(command)))
    process.kill(renderer, 'SIGKILL');
};

/** Parts that can crash, with the notice for viewers and the log line. */
const CRASHES = [
  {
    name: 'Chromium',
    crash: (service: Service) => kill(service, CHROMIUM_MAIN),
    told: /crashed and was started again/,
    // The sandbox around a program exits with 128 plus the number of the signal.
    logged: ['Chromium ended; starting again', '"code":137', '"logTail"'],
  },
  {
    name: 'Xorg',
    crash: (service: Service) => kill(service, XORG),
    told: /crashed and was started again/,
    logged: ['Xorg ended; starting again', '"code":137', '"logTail"'],
  },
  {
    name: 'a renderer',
    crash: killRenderers,
    told: /page crashed/,
    logged: ['its process has ended'],
  },
];

// Kiosks are in the table of test/faults.
for (const { name, crash, told, logged } of CRASHES) {
  // Proves: crash of browser, display or page
  test(
    `a crash of ${name} is explained to viewers and logged with its cause, and typing still works`,
    { tag: '@timing' },
    async ({ show, service, watch }) => {
      const { remote: marker, session } = await show('marker', { ...SIZE, kiosk: false });
      const viewer = await watch(session, { viewport: SIZE });
      await viewer.shows(BLUE, 400, 300);
      const [user, states] = [await viewer.userId(), await viewer.recordStates()];
      const before = service.process.logTail.length;
      const began = performance.now();
      crash(service);
      await until('the viewer says it', async () => told.test(await viewer.status()));
      await until('the log says it', () =>
        service.process.logTail.split('\n').some((line) => logged.every((part) => line.includes(part))),
      ).catch(() => assert.fail(service.process.logTail.slice(before)));
      // After a crash of the page's own process, the user reloads it.
      if (name === 'a renderer')
        await until('the page is loaded again', async () => {
          await viewer.page.mouse.click(400, 500);
          await viewer.page.keyboard.press('F5');
          return until('it is loaded', () => marker.loads > 1, 500).catch(() => false);
        });
      await marker.loaded(2);
      // The page may be reloaded in the meantime, and reports keys from its start.
      await until('the page gets a key', async () => {
        await viewer.page.mouse.click(400, 300);
        await viewer.page.keyboard.press('a');
        return marker.count('a') > 0;
      });
      hold('typing goes on after a crash', performance.now() - began, name);
      await viewer.shows(BLUE, 400, 300);
      assert.deepEqual([await viewer.userId(), await states()], [user, []], 'on the same connection');
    },
  );
}
