import assert from 'node:assert/strict';
import { hold } from '../../support/limits.js';
import type { HostedPage } from '../support/hosted-page.js';
import { CHROMIUM_MAIN, descendants, onlyProcess, XORG } from '../support/processes.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test as sharedTest } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;
const RENDERER = /^\/usr\/lib\/chromium\/chromium --type=renderer/;

const kill = ({ pid }: Service, command: RegExp) => process.kill(onlyProcess(pid, command).pid, 'SIGKILL');
const killRenderers = ({ pid }: Service) => {
  for (const { pid: renderer } of descendants(pid).filter(({ command }) => RENDERER.test(command)))
    process.kill(renderer, 'SIGKILL');
};

/**
 * Presses a key repeatedly until the page reports it. The page may be reloaded in the meantime, and reports
 * keys from its start.
 */
async function typingGoesOn(viewer: Viewer, page: HostedPage): Promise<void> {
  await until('the page gets a key', async () => {
    await viewer.page.mouse.click(400, 300);
    await viewer.page.keyboard.press('a');
    return page.count('a') > 0;
  });
}

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

/** A session that shows the page "marker", and a viewer who sees it. */
interface Scene {
  marker: HostedPage;
  viewer: Viewer;
}

/** The shared `test` with such a session, which ends with the test. */
const test = sharedTest.extend<{ kiosk: boolean; scene: Scene }>({
  kiosk: [true, { option: true }],
  scene: async ({ kiosk, service, pages, watch }, use) => {
    const marker = pages.page('marker');
    const session = await service.create({ start_url: marker.url, ...SIZE, kiosk });
    const viewer = await watch(session, { viewport: SIZE });
    await viewer.shows(BLUE, 400, 300);
    // A kill before the page is loaded would leave this load uncounted.
    await marker.loaded();
    await use({ marker, viewer });
    await service.end(session);
  },
});

/**
 * Resolves when the page is loaded again and receives keys. After a crash of the page's own process, the user
 * reloads it.
 */
async function comesBack({ viewer, marker }: Scene, name: string): Promise<void> {
  if (name === 'a renderer')
    await until('the page is loaded again', async () => {
      await viewer.page.mouse.click(400, 500);
      await viewer.page.keyboard.press('F5');
      return until('it is loaded', () => marker.loads > 1, 500).catch(() => false);
    });
  await marker.loaded(2);
  await typingGoesOn(viewer, marker);
}

for (const kiosk of [false, true]) {
  test.describe(kiosk ? 'in a kiosk' : 'with tabs', () => {
    test.use({ kiosk });

    for (const { name, crash, told, logged } of CRASHES) {
      // Proves: crash of browser, display or page
      test(
        `a crash of ${name} is explained to viewers and logged with its cause, and typing still works`,
        { tag: '@timing' },
        async ({ service, scene }) => {
          const { viewer } = scene;
          const [user, states] = [await viewer.userId(), await viewer.recordStates()];
          const before = service.process.logTail.length;
          const began = performance.now();
          crash(service);
          await until('the viewer says it', async () => told.test(await viewer.status()));
          await until('the log says it', () =>
            service.process.logTail.split('\n').some((line) => logged.every((part) => line.includes(part))),
          ).catch(() => assert.fail(service.process.logTail.slice(before)));
          await comesBack(scene, name);
          hold('typing goes on after a crash', performance.now() - began, name);
          await viewer.shows(BLUE, 400, 300);
          assert.deepEqual([await viewer.userId(), await states()], [user, []], 'on the same connection');
        },
      );
    }
  });
}
