import assert from 'node:assert/strict';
import { askSession } from './support/ask-session.js';
import type { HostedPage } from './support/hosted-page.js';
import type { Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();

const DESKTOP = /X11; Linux x86_64/;

interface Tab {
  id: number;
  url: string;
  active: boolean;
}

test('tabs of a profile come back as they were, each loaded once', async ({ service, pages }) => {
  const [first, before, second, last] = ['first', 'before', 'second', 'last'].map(() =>
    pages.page('marker'),
  ) as [HostedPage, HostedPage, HostedPage, HostedPage];
  const saved = await service.create({ start_url: first.url, kiosk: false, profile: true });
  await first.loaded();
  const created = await open(saved, before);
  await askSession(saved, 'POST', 'tabs.update', [created.id, { url: second.url }]);
  await second.loaded();
  await open(saved, last);
  await askSession(saved, 'POST', 'tabs.update', [created.id, { active: true }]);
  await until('the second tab is in front', async () => (await tabsOf(saved))[1]?.active);
  await service.end(saved);

  const restored = [first, second, last];
  const requestsBefore = restored.map(({ requests }) => requests.length);
  const session = await service.create({ kiosk: false, profile: saved.session_id });
  for (const page of restored) await page.loaded(2);
  await until('all tabs are there', async () => (await tabsOf(session)).length === restored.length);
  const tabs = await tabsOf(session);
  assert.deepEqual(
    tabs.map(({ url, active }) => [url, active]),
    restored.map(({ url }) => [url, url === second.url]),
  );
  for (const [index, page] of restored.entries()) {
    const [request, ...others] = page.requests.slice(requestsBefore[index]);
    assert.match(String(request?.['user-agent']), DESKTOP);
    assert.deepEqual(others, [], `${page.url} is loaded once`);
    assert.equal(await page.run('navigator.userAgent'), request?.['user-agent']);
  }
  await askSession(session, 'POST', 'tabs.goBack', [tabs[1]?.id]);
  await before.loaded(2);
  assert.match(String(before.headers['user-agent']), DESKTOP);
  await service.end(session);
});

/** Opens a page in a new tab behind the others; resolves when it is loaded. */
async function open(session: Session, page: HostedPage): Promise<Tab> {
  const tab = (await askSession(session, 'POST', 'tabs.create', [{ url: page.url }])) as Tab;
  await page.loaded();
  return tab;
}

async function tabsOf(session: Session): Promise<Tab[]> {
  return (await askSession(session, 'POST', 'tabs.query', [{}])) as Tab[];
}
