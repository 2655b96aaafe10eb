import assert from 'node:assert/strict';
import type { Browser, Page } from '@playwright/test';
import { assertAccessible, assertFits } from '../support/axe.js';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const LIST = '**/v0/recordings?*';
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** 250 recordings as the service lists them, in every state. */
const PRETENDED = Array.from({ length: 250 }, (_, nth) => ({
  id: `4f1d1c1a-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  ...{ session_id: `Xk3vYb8n2Mq1kH3vYb8n${nth}`, tenant_id: nth % 3 === 0 ? 'acme' : null },
  tag: nth % 2 === 0 ? `order-${1000 + nth}` : null,
  users: Array.from({ length: nth % 5 }, (_user, user) => `user-${user}@example.com`),
  state: (['ready', 'ready', 'recording', 'finalizing', 'failed'] as const)[nth % 5],
  start_date: new Date(Date.UTC(2030, 0, 20) - nth * 3_600_000).toISOString(),
  ...{ end_date: null, end: null, seconds: 3_600 - nth * 13, bytes: 240e6 - nth * 9e5 },
}));

/** A service that lends its key to the demo, and one with keys of the operator. */
let service: Service;
let keyed: Service;
test.beforeAll(async () => {
  [service, keyed] = await Promise.all([demoService(), Service.start()]);
});

/** Opens the list of recordings, and enters the key. */
async function open(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZES.desktop, locale: 'en-GB', timezoneId: 'UTC' });
  await page.goto(`${keyed.url}/admin`);
  await page.locator("[data-action='show-recordings']").click();
  await page.locator('#api-key').fill(keyed.key);
  await page.locator('#api-key').press('Enter');
  await page.locator('.recordings-status:not(:empty)').waitFor();
  return page;
}

/** Answers requests for the list with pretended recordings, and records the queries. */
async function pretend(page: Page): Promise<URLSearchParams[]> {
  const queries: URLSearchParams[] = [];
  await page.route(LIST, (route) => {
    const query = new URL(route.request().url()).searchParams;
    queries.push(query);
    const from = PRETENDED.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const results = PRETENDED.slice(from, from + 100);
    return route.fulfill({
      json: { results, next: from + 100 < PRETENDED.length ? results.at(-1)?.id : null },
    });
  });
  return queries;
}

test.describe('the list of recordings', () => {
  for (const path of ['/admin', '/operator'])
    test(`on ${path} pages, searches, and is accessible on every screen`, async ({ browser }) => {
      const page = await browser.newPage({ viewport: SIZES.desktop, locale: 'en-GB', timezoneId: 'UTC' });
      const queries = await pretend(page);
      await page.goto(demoAddress(service, path));
      await page.locator("[data-action='show-recordings']").click();
      const rows = page.locator('.recording-row');
      await rows.nth(99).waitFor();
      await page.getByText('The newest 100 recordings.').waitFor();
      for (const colorScheme of ['light', 'dark'] as const)
        for (const [name, size] of Object.entries(SIZES)) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.setViewportSize(size);
          await assertFits(page, `${name}, ${colorScheme}`);
          await assertAccessible(page, `${name}, ${colorScheme}`);
          await page.locator('.recordings').scrollIntoViewIfNeeded();
          await page.screenshot({
            path: `${SCREENSHOTS}recordings${path.replace('/', '-')}-${name}-${colorScheme}.png`,
          });
        }
      for (const count of [200, 250]) {
        await page.locator("[data-action='more-recordings']").click();
        await rows.nth(count - 1).waitFor();
      }
      await page.locator("[data-action='more-recordings']").waitFor({ state: 'hidden' });
      await page.getByLabel('From').fill('2030-01-02T10:30');
      await page.getByLabel('Search by').selectOption('user');
      await page.getByLabel('Exact value').fill(' ann ');
      await page.getByLabel('Exact value').press('Enter');
      await until('the search is sent', () => queries.length === 4);
      assert.deepEqual(Object.fromEntries(queries[3] ?? []), {
        from: '2030-01-02T10:30:00.000Z',
        user: 'ann',
      });
      await page.setViewportSize({ width: 320, height: 640 });
      await assertFits(page, 'a very small screen');
      await page.close();
    });

  test('plays, downloads and deletes a recording', async ({ browser, pages }) => {
    const remote = pages.page('motion');
    const session = await keyed.create({ start_url: remote.url, record: true, tag: 'kept' });
    await remote.loaded();
    const list = async () => {
      const { body } = await keyed.request('GET', '/v0/recordings?tag=kept');
      return (body['results'] as { state: string; seconds: number }[])[0];
    };
    await until('five seconds are recorded', async () => ((await list())?.seconds ?? 0) > 5);
    await keyed.end(session);
    await until('the recording is complete', async () => (await list())?.state === 'ready');

    const page = await open(browser);
    await page.getByLabel('Exact value').fill('kept');
    await page.getByLabel('Exact value').press('Enter');
    await page.getByText('One recording.').waitFor();
    const row = page.locator('.recording-row');
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download' }).click();
    assert.match((await download).suggestedFilename(), /^recording-[\dT-]+\.mp4$/);
    for (const [name, size] of Object.entries(SIZES)) {
      await page.setViewportSize(size);
      await row.getByRole('button', { name: 'Watch' }).click();
      await page.waitForFunction(
        () => (document.querySelector('cloud-browser-replay')?.video?.readyState ?? 0) > 1,
      );
      await assertAccessible(page, `a recording, ${name}`);
      await page.screenshot({ path: `${SCREENSHOTS}recordings-watch-${name}.png` });
      await page.keyboard.press('Escape');
      await page.locator('cloud-browser-replay').waitFor({ state: 'detached' });
    }
    await row.getByRole('button', { name: 'Delete' }).click();
    await assertAccessible(page, 'a question');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.locator("[data-action='delete-recording']").click();
    await page.getByText('There is no such recording.').waitFor();
    assert.equal(await list(), undefined);
    await page.close();
  });

  test('reports that the service does not answer, and a wrong key', async ({ browser }) => {
    const page = await open(browser);
    await page.route(LIST, (route) => route.abort());
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('The service does not answer.').waitFor();
    await page.unroute(LIST);
    await page.route(LIST, (route) => route.fulfill({ status: 401, json: { code: 'err_unauthenticated' } }));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('does not know this API key').waitFor();
    await page.close();
  });
});

test.describe('the demo', () => {
  for (const [name, options] of [
    ['desktop', { viewport: SIZES.desktop }],
    ['phone', { viewport: SIZES.phone, hasTouch: true, isMobile: true }],
  ] as const)
    test(`replays the last session, and deletes its recording, on a ${name}`, async ({ browser, pages }) => {
      const remote = pages.page('motion');
      const page = await browser.newPage(options);
      await page.addInitScript((key) => sessionStorage.setItem('cloud-browser-demo.key', key), keyed.key);
      await page.goto(keyed.url);
      await page.locator('#start-url').fill(remote.url);
      await page.locator('.session-form [type=submit]').click();
      await new Viewer(page).playing();
      await remote.loaded();
      // Viewers see that they are recorded.
      await page.locator('cloud-browser [part~=recording]').waitFor();
      const shown = () =>
        page.evaluate(() => document.querySelector('cloud-browser')?.stats?.framesPainted ?? 0);
      await until('pictures are recorded', async () => (await shown()) > 60);
      await page.locator('[data-action=end]').click();
      const button = page.getByRole('button', { name: 'Replay your last session' });
      await button.waitFor();
      await assertAccessible(page, 'with an offer');
      await page.screenshot({ path: `${SCREENSHOTS}demo-${name}-offer.png` });
      await button.click();
      await page.waitForFunction(
        () => (document.querySelector('cloud-browser-replay')?.video?.readyState ?? 0) > 1,
      );
      await assertFits(page, 'a recording');
      await assertAccessible(page, 'a recording');
      await page.screenshot({ path: `${SCREENSHOTS}demo-${name}-replay.png` });
      const { body } = await keyed.request('GET', '/v0/recordings');
      const count = (body['results'] as unknown[]).length;
      await page.getByRole('button', { name: 'Delete the recording' }).click();
      await page.getByText('The recording is deleted.').waitFor();
      await page.getByText('Your browser appears here').waitFor();
      const { body: after } = await keyed.request('GET', '/v0/recordings');
      assert.equal((after['results'] as unknown[]).length, count - 1);
      await page.close();
    });
});
