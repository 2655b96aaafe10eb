import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { connectClient } from '../support/sdk-client.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let service: Service;
test.beforeAll(({ service: shared }) => void (service = shared));

/** Addresses that Chromium gives its new tab page, by the search engine. */
const NEW_TAB = /^chrome:\/\/(newtab|new-tab-page|new-tab-page-third-party)\/$/;

async function isShown(client: CloudBrowserClient): Promise<void> {
  let seen: unknown;
  await until('the new tab page is in front', async () => {
    const [tab] = await client.tabs.query({ active: true });
    seen = tab;
    return tab?.status === 'complete' && NEW_TAB.test(tab.url ?? '');
  }).catch(() => assert.fail(JSON.stringify(seen)));
}

for (const [what, parameters] of [
  ['in tabs', { start_url: 'chrome://newtab', kiosk: false }],
  ['in a kiosk', { start_url: 'chrome://newtab/', kiosk: true }],
  ['with another search engine', { start_url: 'CHROME://NewTab', kiosk: false, search_engine: 'google' }],
  ['on a phone', { start_url: ' chrome://new-tab-page ', kiosk: true, user_agent: 'chrome_android' }],
  ['by its old name', { start_url: 'about:newtab', kiosk: false }],
] as const)
  test(`the new tab page is a start page ${what}`, async () => {
    const session = await service.create(parameters);
    const client = await connectClient(session);
    await isShown(client);
    await service.end(session);
  });

test('tabs can open the new tab page by each of its names', async () => {
  const session = await service.create({ start_url: 'about:blank', kiosk: false });
  const client = await connectClient(session);
  for (const url of ['chrome://newtab', ' CHROME://new-tab-page/ ', 'about:newtab', 'about:NewTab/']) {
    const tab = await client.tabs.create({ url, active: true });
    await isShown(client);
    await client.tabs.update(tab.id ?? 0, { url: 'about:blank' });
    await until('the tab is empty', async () => (await client.tabs.get(tab.id ?? 0)).url === 'about:blank');
    await client.tabs.update(tab.id ?? 0, { url });
    await isShown(client);
    await client.tabs.remove(tab.id ?? 0);
  }
  await service.end(session);
});
