import assert from 'node:assert/strict';
import { assertAccessible } from '../support/axe.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

test('the embed page has the colour scheme of its address, and is readable in each', async ({
  service,
  browser,
}) => {
  const { embed_url: own } = await service.create({});
  // This address opens no session, so the page shows its message at once.
  const address = own.replace(/token=[^&]*/, 'token=x');
  for (const [query, viewer, expected] of [
    ['', 'light', 'dark'],
    ['&theme=light', 'dark', 'light'],
    ['&theme=auto', 'light', 'light'],
    ['&theme=auto', 'dark', 'dark'],
    ['&theme=pink', 'light', 'dark'],
  ] as const) {
    const page = await browser.newPage({ colorScheme: viewer });
    await page.goto(address + query);
    await page.locator('[part~=step]').first().waitFor();
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.equal(scheme, expected, `${query} for somebody who likes it ${viewer}`);
    await assertAccessible(page, query);
    await page.close();
  }
});

test('the embed page is readable by a screen reader if its address requests this', async ({
  show,
  browser,
}) => {
  const { session } = await show('fields', { kiosk: true });
  const page = await browser.newPage();
  await page.goto(`${session.embed_url}&accessibility=mirror`);
  await page.getByRole('button', { name: 'A button' }).waitFor();
  await page.close();
});

test('the embed page has no keyboard button when its address turns the controls off', async ({
  service,
  browser,
}) => {
  const { embed_url: address } = await service.create({});
  for (const [query, wanted] of [
    ['', true],
    ['&controls=1', true],
    ['&controls=0', false],
  ] as const) {
    const page = await browser.newPage();
    await page.goto(address + query);
    const has = await page
      .locator('cloud-browser')
      .evaluate((element) => element.hasAttribute('keyboard-button'));
    assert.equal(has, wanted, query);
    await page.close();
  }
});
