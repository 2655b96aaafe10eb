import assert from 'node:assert/strict';
import type { HostedPage } from './support/hosted-page.js';
import { CHROMIUM_MAIN, descendants, onlyProcess, XORG } from './support/processes.js';
import type { Service } from './support/service.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';
import type { Viewer } from './support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;
const RENDERER = /^\/usr\/lib\/chromium\/chromium --type=renderer/;
/** The longest that typing may be interrupted by a crash. */
const LIMIT_MS = 3_000;

const kill = ({ pid }: Service, command: RegExp) => process.kill(onlyProcess(pid, command).pid, 'SIGKILL');
const killRenderers = ({ pid }: Service) => {
  for (const { pid: renderer } of descendants(pid).filter(({ command }) => RENDERER.test(command)))
    process.kill(renderer, 'SIGKILL');
};

/** Resolves when the page is seen and has told that it is loaded: killed before, that load would not be counted. */
async function ready(viewer: Viewer, page: HostedPage): Promise<void> {
  await viewer.shows(BLUE, 400, 300);
  await page.loaded();
}

/** Presses a key again and again until the page reports it. */
async function typingGoesOn(viewer: Viewer, page: HostedPage): Promise<void> {
  await page.run("addEventListener('keydown', ({ key }) => report({ event: key }))");
  await until('the page gets a key', async () => {
    await viewer.page.mouse.click(400, 300);
    await viewer.page.keyboard.press('a');
    return page.count('a') > 0;
  });
}

for (const { name, crash, logged } of [
  // The sandbox around the browser exits with 128 plus the number of the signal.
  { name: 'Chromium', crash: (service: Service) => kill(service, CHROMIUM_MAIN), logged: '"code":137' },
  { name: 'Xorg', crash: (service: Service) => kill(service, XORG), logged: '"signal":"SIGKILL"' },
]) {
  test(`a crash of ${name} is told in words, logged with its cause, and typing goes on`, async ({
    service,
    pages,
    watch,
  }) => {
    const marker = pages.page('marker');
    const session = await service.create({ start_url: marker.url, ...SIZE });
    const viewer = await watch(session, { viewport: SIZE });
    await ready(viewer, marker);
    crash(service);
    await until('the viewer says it', async () =>
      /crashed and was started again/.test(await viewer.status()),
    );
    const lines = service.process.logTail.split('\n');
    const line = lines.find((text) => text.includes(`${name} ended; starting again`));
    assert.ok(line?.includes(logged) && line.includes('"logTail"'), line);
    await marker.loaded(2);
    await typingGoesOn(viewer, marker);
    await service.end(session);
  });

  test(
    `typing goes on within 3 s of a crash of ${name}`,
    { tag: '@timing' },
    async ({ service, pages, watch }) => {
      const marker = pages.page('marker');
      const session = await service.create({ start_url: marker.url, ...SIZE });
      const viewer = await watch(session, { viewport: SIZE });
      await ready(viewer, marker);
      const began = performance.now();
      crash(service);
      await marker.loaded(2);
      await typingGoesOn(viewer, marker);
      const passed = performance.now() - began;
      note(`${passed.toFixed(0)} ms`);
      assert.ok(passed < LIMIT_MS, `${passed.toFixed(0)} ms`);
      await service.end(session);
    },
  );
}

test('a page that crashes is told in words, shows so, and comes back when it is loaded again', async ({
  service,
  pages,
  watch,
}) => {
  const marker = pages.page('marker');
  const session = await service.create({ start_url: marker.url, ...SIZE });
  const viewer = await watch(session, { viewport: SIZE });
  await ready(viewer, marker);
  killRenderers(service);
  await until('the viewer says it', async () => /page crashed/.test(await viewer.status()));
  await viewer.leaves(BLUE, 400, 300);
  await viewer.page.mouse.click(400, 100);
  await viewer.page.keyboard.press('F5');
  await marker.loaded(2);
  await viewer.shows(BLUE, 400, 300);
  await typingGoesOn(viewer, marker);
  await service.end(session);
});
