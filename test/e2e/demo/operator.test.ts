import assert from 'node:assert/strict';
import type { Browser, Page } from '@playwright/test';
import { assertAccessible, assertFits } from '../support/axe.js';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import { pretendedCluster } from '../support/pretended-cluster.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const KEY = 'for-operators';
const NODES = '**/v0/nodes?*';
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

let service: Service;
test.beforeAll(async () => {
  service = await Service.start({ OPERATOR_KEYS: KEY });
});

/** Opens the page and enters a key. */
async function open(browser: Browser, key = KEY): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZES.desktop });
  await page.goto(`${service.url}/operator`);
  await enter(page, key);
  return page;
}

async function enter(page: Page, key: string): Promise<void> {
  await page.locator('#operator-key').fill(key);
  await page.locator('#operator-key').press('Enter');
}

/** A page that shows nodes in every state. */
async function openCluster(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZES.desktop });
  await page.route(NODES, (route) => route.fulfill({ json: pretendedCluster() }));
  await page.goto(`${service.url}/operator`);
  await enter(page, KEY);
  await page.locator('.node').nth(7).waitFor();
  return page;
}

const total = (page: Page, label: string) =>
  page.locator('.total', { has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) });

/** Resolves when a figure of all nodes together is what it should be. */
async function totalIs(page: Page, label: string, holds: (value: number) => boolean): Promise<void> {
  const number = total(page, label).locator('.total-number');
  await until(`“${label}” is as expected`, async () => holds(Number(await number.textContent())));
}

test.describe('the operator page', () => {
  test('reports a wrong key, and stores the right one only in its tab', async ({ browser }) => {
    const page = await open(browser, 'a guess');
    await page.getByRole('alert').filter({ hasText: 'does not know this operator key' }).waitFor();
    assert.equal(await page.locator('.live').isVisible(), false);
    await enter(page, service.key);
    await page.getByRole('alert').filter({ hasText: 'does not know this operator key' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}operator-key.png` });
    await assertAccessible(page, 'with a wrong key');

    await enter(page, KEY);
    await page.locator('.node').waitFor();
    await page.reload();
    await page.locator('.node').waitFor();
    const kept = await page.evaluate(() => [Object.values(localStorage), Object.values(sessionStorage)]);
    assert.deepEqual(kept, [[], [KEY]]);

    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.locator('#operator-key').waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    await page.close();
  });

  test('shows the start and the end of a session, its start duration and refused requests', async ({
    browser,
    pages,
  }) => {
    const page = await open(browser);
    await totalIs(page, 'Sessions', (value) => value === 0);
    const session = await service.create({ start_url: pages.page('text').url });
    await totalIs(page, 'Sessions', (value) => value === 1);
    await page.locator('.node [data-label=Sessions]', { hasText: /^1 of \d+/ }).waitFor();
    await totalIs(page, 'Starts', (value) => value === 1);
    await page.locator('.total-note', { hasText: /^half within; 95 % within \d/ }).waitFor();
    const refused = await service.request('POST', '/v0/vm', { fps: -1 });
    assert.equal(refused.status, 400);
    await totalIs(page, 'Rejections', (value) => value >= 1);
    await page.locator('.legend li', { hasText: 'err_invalid_parameter' }).waitFor();
    await service.end(session);
    await totalIs(page, 'Sessions', (value) => value === 0);
    await page.screenshot({ path: `${SCREENSHOTS}operator-alone.png`, fullPage: true });
    await page.close();
  });

  test('reports that the service does not answer, and continues when it does', async ({ browser }) => {
    const page = await open(browser);
    await page.locator('.node').waitFor();
    await page.route(NODES, (route) => route.abort());
    const outage = page.locator('.live .outage');
    await outage.filter({ hasText: 'The service does not answer.' }).waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}operator-outage.png` });
    await assertAccessible(page, 'without an answer');
    await page.unroute(NODES);
    await outage.getByRole('button', { name: 'Try now' }).click();
    await outage.waitFor({ state: 'hidden' });
    await page.close();
  });

  test('shows nodes in every state, accessible and complete on every screen', async ({ browser }) => {
    const page = await openCluster(browser);
    const state = (name: string) => page.locator('.node', { hasText: name }).locator('.state').textContent();
    const states = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => state(`browser-${nth}.`)));
    assert.deepEqual(states, [
      ...['Running', 'Running', 'Draining', 'Exhausted', 'Silent', 'Late', 'Lost', 'Left'],
    ]);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [name, size] of Object.entries(SIZES)) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        await assertFits(page, `${name}, ${colorScheme}`);
        await assertAccessible(page, `${name}, ${colorScheme}`);
        await page.screenshot({ path: `${SCREENSHOTS}operator-${name}-${colorScheme}.png`, fullPage: true });
      }
    await page.setViewportSize({ width: 320, height: 640 });
    await assertFits(page, 'a very small screen');
    await page.close();
  });

  test('presents a chart as text and as a table, by keyboard alone', async ({ browser }) => {
    const page = await openCluster(browser);
    const chart = page.locator('.chart-card', { hasText: 'Sessions and viewers' });
    const words = await chart.getByRole('img').getAttribute('aria-label');
    assert.match(
      words ?? '',
      /^Sessions and viewers in the last hour\. Sessions: \d+ now, between \d+ and \d+\./,
    );
    await chart.locator('summary').focus();
    await page.keyboard.press('Enter');
    await chart.getByRole('row', { name: /^55 min ago/ }).waitFor();
    assert.deepEqual(await chart.getByRole('columnheader').allTextContents(), [
      'When',
      'Sessions',
      'Viewers',
    ]);
    assert.equal(await chart.getByRole('row').count(), 13);
    await assertAccessible(page, 'with a table');
    await page.close();
  });

  test('opens with the key of the printed address if the service generated its key', async ({ browser }) => {
    const own = await demoService();
    const page = await browser.newPage();
    await page.goto(demoAddress(own, '/operator'));
    await page.locator('.node').waitFor();
    await page.close();
  });
});
