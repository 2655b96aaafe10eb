import assert from 'node:assert/strict';
import { AnsweringServer } from '../support/answering-server.js';
import { askSession } from '../support/ask-session.js';
import { DisplayWindows } from '../support/display-windows.js';
import { CHROMIUM_MAIN, onlyProcess } from '../support/processes.js';
import type { HostedPage } from '../support/hosted-page.js';
import { RawViewer } from '../support/raw-viewer.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const BLUE = [20, 120, 220] as const;

/** Ways in which users and pages close pages. */
const BY_HAND = ['Control+w', 'Control+Shift+w', 'Alt+F4'];
const BY_PAGE = 'window.close';
const BY_CALL = 'tabs.remove';
const BY_WINDOW_MANAGER = '_NET_CLOSE_WINDOW';

for (const [where, parameters, ways] of [
  ['tabs', { kiosk: false }, [...BY_HAND, BY_PAGE, BY_CALL, BY_WINDOW_MANAGER]],
  ['a kiosk', { kiosk: true }, [BY_PAGE, BY_CALL, BY_WINDOW_MANAGER]],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }, [BY_CALL]],
] as const) {
  // Proves: last tab or window closed
  test(`closing the last page opens the start page in the same browser, in ${where}`, async ({
    show,
    service,
    watch,
  }) => {
    const { remote: start, session } = await show('marker', { ...SIZE, ...parameters });
    const viewer = await watch(session, { viewport: SIZE });
    const probe = await RawViewer.open(session);
    const browser = onlyProcess(service.pid, CHROMIUM_MAIN).pid;
    for (const way of ways) {
      const before = start.loads;
      await becomesFocused(viewer, start);
      if (way === BY_PAGE) await start.run('setTimeout(() => window.close())');
      else if (way === BY_CALL) await removeTabs(session);
      else if (way === BY_WINDOW_MANAGER) await closeWindow(await DisplayWindows.open(service));
      else await viewer.page.keyboard.press(way);
      await start.loaded(before + 1);
      if (where === 'a kiosk') await start.fills(SIZE);
    }
    await becomesFocused(viewer, start);
    assert.equal(onlyProcess(service.pid, CHROMIUM_MAIN).pid, browser);
    assert.equal(probe.closed, undefined);
  });
}

test('the last page can ask before it is closed, and stays if the user chooses so', async ({
  show,
  watch,
}) => {
  const { remote: start, session } = await show('marker', { ...SIZE, kiosk: false });
  const viewer = await watch(session, { viewport: SIZE });
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
});

for (const kiosk of [false, true]) {
  test(`a start page that closes itself does not end the session, ${kiosk ? 'in a kiosk' : 'in tabs'}`, async ({
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

for (const user_agent of [undefined, 'chrome_android'])
  // Proves: last tab or window closed
  test(`a browser with the tabs of a profile restarts each time it is closed and counts no crash, as ${user_agent ?? 'a desktop'}`, async ({
    service,
    pages,
  }) => {
    const device = user_agent === undefined ? {} : { user_agent };
    const start = pages.page('marker');
    const first = await service.create({
      start_url: start.url,
      ...SIZE,
      kiosk: false,
      profile: true,
      ...device,
    });
    await start.loaded();
    await service.end(first);
    const session = await service.create({ ...SIZE, kiosk: false, profile: first.session_id, ...device });
    const probe = await RawViewer.open(session);
    await start.loaded(2);
    const kinds = () =>
      probe.messages.flatMap((message) => (message.type === 'notice' ? [message.kind] : []));
    // More often than the limit of crashes. Calls fail while the browser starts.
    for (let times = 1; times <= 4; times++)
      await until('its tabs are closed', () =>
        removeTabs(session).then(
          () => true,
          () => false,
        ),
      );
    await until('there is a tab again', () =>
      tabsOf(session).then(
        ({ length }) => length,
        () => 0,
      ),
    );
    assert.equal(probe.closed, undefined);
    assert.deepEqual([...new Set(kinds())], ['browser-closed']);
    await service.end(session);
  });

/** Rejects while there is no tab. */
async function removeTabs(session: Session): Promise<void> {
  const tabs = await tabsOf(session);
  assert.ok(tabs.length > 0);
  await askSession(session, 'POST', 'tabs.remove', [tabs.map(({ id }) => id)]);
}

async function tabsOf(session: Session): Promise<{ id: number }[]> {
  return (await askSession(session, 'POST', 'tabs.query', [{}])) as { id: number }[];
}

/** Closes the front window like the button of its title bar: the browser gets WM_DELETE_WINDOW. */
async function closeWindow(windows: DisplayWindows): Promise<void> {
  const front = (await windows.list()).find(({ active }) => active);
  assert.ok(front);
  await windows.ask(front.id, BY_WINDOW_MANAGER, [0, 2]);
}

/**
 * Resolves when the page has the keyboard focus and has received a click. Chromium lets a page ask before it
 * is left only after input.
 */
async function becomesFocused(viewer: Viewer, page: HostedPage): Promise<void> {
  await until('the page has the keyboard', async () => {
    await viewer.page.mouse.click(400, 400);
    return (await page.run('document.hasFocus() && navigator.userActivation.hasBeenActive')) === true;
  });
}
