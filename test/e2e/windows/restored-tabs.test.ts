import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

const ANDROID = /Android 10; K\).* Mobile Safari/;
const DESKTOP = /X11; Linux x86_64/;
const SIZE = { width: 400, height: 600 };
const PHONE = { user_agent: 'chrome_android', ...SIZE };
/** Layout of a page without a viewport declaration on a phone of this size. */
const LAYOUT = { width: 980, height: 1470 };
const MASK = { matches: ['*'], selectors: ['input'] };
const SCROLLED = 1_200;

interface Tab {
  id: number;
  url: string;
  active: boolean;
}

for (const [device, parameters, userAgent, isMobile] of [
  ['a desktop', {}, DESKTOP, '?0'],
  ['a desktop that masks fields', { field_masking: [MASK] }, DESKTOP, '?0'],
  ['a phone', PHONE, ANDROID, '?1'],
  ['a phone, with a service worker', PHONE, ANDROID, '?1'],
] as const) {
  // Proves: a profile's tabs: order, front, history, loaded once
  test(`tabs of a profile are restored unchanged, and each is loaded once, on ${device}`, async ({
    service,
    pages,
  }) => {
    const [first, before, second, last] = ['first', 'before', 'second', 'last'].map(() =>
      pages.page('look'),
    ) as [HostedPage, HostedPage, HostedPage, HostedPage];
    const restored = [first, second, last];
    const saved = await service.create({ start_url: first.url, kiosk: false, profile: true, ...parameters });
    await first.loaded();
    if (device.includes('worker')) await serveByWorker(first);
    const created = await open(saved, before);
    await askSession(saved, 'POST', 'tabs.update', [created.id, { url: second.url }]);
    await second.loaded();
    await open(saved, last);
    await askSession(saved, 'POST', 'tabs.update', [created.id, { active: true }]);
    await until('the second tab is in front', async () => (await tabsOf(saved))[1]?.active);
    const looked = await Promise.all(restored.map(firstLook));
    await service.end(saved);

    const requestsBefore = restored.map(({ requests }) => requests.length);
    const session = await service.create({ kiosk: false, profile: saved.session_id, ...parameters });
    for (const page of restored) await page.loaded(2);
    const wanted = restored.map(({ url }) => [url, url === second.url]);
    let tabs: Tab[] = [];
    const seen = () => tabs.map(({ url, active }) => [url, active]);
    // A page reports its load independently of the browser's list of tabs.
    await until('the tabs are as they were', async () => {
      tabs = await tabsOf(session);
      return isDeepStrictEqual(seen(), wanted);
    }).catch(() => assert.deepEqual(seen(), wanted));
    for (const [index, page] of restored.entries()) {
      const [request, ...others] = page.requests.slice(requestsBefore[index]);
      assert.match(String(request?.['user-agent']), userAgent);
      assert.equal(request?.['sec-ch-ua-mobile'], isMobile);
      assert.deepEqual(others, [], `${page.url} is loaded once`);
      const { device: seen, width } = await firstLook(page);
      assert.deepEqual(seen, looked[index]?.device);
      if (isMobile === '?1') assert.equal(width, LAYOUT.width);
    }
    await askSession(session, 'POST', 'tabs.goBack', [tabs[1]?.id]);
    await before.loaded(2);
    assert.match(String(before.headers['user-agent']), userAgent);
    await service.end(session);
  });
}

// Proves: a profile's tabs: order, front, history, loaded once; user_agent
test('a page of a profile on a phone is restored unchanged and loaded once, session after session', async ({
  service,
  pages,
}) => {
  const page = pages.page('look');
  const saved = await service.create({ start_url: page.url, profile: true, ...PHONE });
  await page.fills(LAYOUT);
  await page.run(`scrollTo(0, ${SCROLLED})`);
  await until('it is scrolled', async () => (await page.run('Math.round(scrollY)')) === SCROLLED);
  // Chromium saves a scroll position a second after a change, or at this call.
  await page.run("history.replaceState('kept', '')");
  await service.end(saved);
  for (const loads of [2, 3]) {
    const session = await service.create({ profile: saved.session_id, ...PHONE });
    await page.loaded(loads);
    await page.fills(LAYOUT);
    assert.equal(await page.run('history.state'), 'kept');
    await until('it is scrolled', async () => (await page.run('Math.round(scrollY)')) === SCROLLED);
    await until('it is alone', async () => (await tabsOf(session)).length === 1);
    await service.end(session);
    assert.equal(page.requests.length, loads);
    assert.match(String(page.headers['user-agent']), ANDROID);
  }
});

/** Layout and screen that a page saw in its first script. */
async function firstLook(page: HostedPage): Promise<{ device: unknown[]; width: number }> {
  await page.until('it has looked', (state) => state['first']);
  return page.state['first'] as { device: unknown[]; width: number };
}

/** Registers a service worker that answers for all pages of a page's origin. */
async function serveByWorker(page: HostedPage): Promise<void> {
  await page.run(
    "navigator.serviceWorker.register('/passing-worker.js').then(() => navigator.serviceWorker.ready).then(() => report({ served: true }))",
  );
  await page.until('a worker serves it', (state) => state['served']);
}

/** Opens a page in a new tab at the end. Resolves when the page is loaded. */
async function open(session: Session, page: HostedPage): Promise<Tab> {
  const tab = (await askSession(session, 'POST', 'tabs.create', [{ url: page.url }])) as Tab;
  await page.loaded();
  return tab;
}

async function tabsOf(session: Session): Promise<Tab[]> {
  return (await askSession(session, 'POST', 'tabs.query', [{}])) as Tab[];
}
