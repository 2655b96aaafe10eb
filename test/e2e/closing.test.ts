import assert from 'node:assert/strict';
import { AnsweringServer } from './support/answering-server.js';
import { askSession } from './support/ask-session.js';
import { CHROMIUM_MAIN, onlyProcess } from './support/processes.js';
import type { HostedPage } from './support/hosted-page.js';
import { RawViewer } from './support/raw-viewer.js';
import type { Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';
import type { Viewer } from './support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;

/** Ways in which people and pages close what is open. */
const BY_HAND = ['Control+w', 'Control+Shift+w', 'Alt+F4'];
const BY_PAGE = 'window.close';
const BY_CALL = 'tabs.remove';

for (const [where, parameters, ways] of [
  ['tabs', { kiosk: false }, [...BY_HAND, BY_PAGE, BY_CALL]],
  ['a kiosk', { kiosk: true }, [BY_PAGE, BY_CALL]],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }, [BY_CALL]],
] as const) {
  test(`closing the last page leads to the start page in the same browser, in ${where}`, async ({
    service,
    pages,
    watch,
  }) => {
    const start = pages.page('marker');
    const session = await service.create({ start_url: start.url, ...SIZE, ...parameters });
    const viewer = await watch(session, { viewport: SIZE });
    const probe = await RawViewer.open(session);
    await start.loaded();
    const browser = onlyProcess(service.pid, CHROMIUM_MAIN).pid;
    for (const way of [...ways, ...ways]) {
      const before = start.loads;
      await becomesFocused(viewer, start);
      if (way === BY_PAGE) await start.run('setTimeout(() => window.close())');
      else if (way === BY_CALL) await removeTabs(session);
      else await viewer.page.keyboard.press(way);
      await start.loaded(before + 1);
      if (where === 'a kiosk') await start.fills(SIZE);
    }
    await becomesFocused(viewer, start);
    assert.equal(onlyProcess(service.pid, CHROMIUM_MAIN).pid, browser);
    assert.equal(probe.closed, undefined);
    await service.end(session);
  });
}

test('a page that asks before it is left is asked when it is the last one, and may stay', async ({
  service,
  pages,
  watch,
}) => {
  const start = pages.page('marker');
  const session = await service.create({ start_url: start.url, ...SIZE, kiosk: false });
  const viewer = await watch(session, { viewport: SIZE });
  await start.loaded();
  await becomesFocused(viewer, start);
  await viewer.shows(BLUE, 400, 300);
  await start.run('window.onbeforeunload = (event) => event.preventDefault()');
  await viewer.page.keyboard.press('Control+w');
  await viewer.leaves(BLUE, 400, 300);
  await viewer.page.keyboard.press('Escape');
  await viewer.shows(BLUE, 400, 300);
  await becomesFocused(viewer, start);
  assert.equal(start.loads, 1);
  await viewer.page.keyboard.press('Control+w');
  await viewer.leaves(BLUE, 400, 300);
  await viewer.page.keyboard.press('Enter');
  await start.loaded(2);
  await service.end(session);
});

for (const kiosk of [false, true]) {
  test(`a start page that closes itself ends nothing, ${kiosk ? 'in a kiosk' : 'in tabs'}`, async ({
    service,
  }) => {
    let loads = 0;
    const site = await AnsweringServer.start(({ url }, response) => {
      if (url === '/') loads += 1;
      response.setHeader('content-type', 'text/html');
      response.end('<title>Closes itself</title><script>close()</script>');
    });
    const session = await service.create({ start_url: site.url, ...SIZE, kiosk });
    const probe = await RawViewer.open(session);
    const browser = onlyProcess(service.pid, CHROMIUM_MAIN).pid;
    await until('it was opened six times', () => loads >= 6);
    assert.equal(onlyProcess(service.pid, CHROMIUM_MAIN).pid, browser);
    assert.equal(probe.closed, undefined);
    await service.end(session);
  });
}

async function removeTabs(session: Session): Promise<void> {
  const tabs = (await askSession(session, 'POST', 'tabs.query', [{}])) as { id: number }[];
  await askSession(session, 'POST', 'tabs.remove', [tabs.map(({ id }) => id)]);
}

/** Resolves when the page has the keyboard focus. */
async function becomesFocused(viewer: Viewer, page: HostedPage): Promise<void> {
  await until('the page has the keyboard', async () => {
    await viewer.page.mouse.click(400, 400);
    return (await page.run('document.hasFocus()')) === true;
  });
}
