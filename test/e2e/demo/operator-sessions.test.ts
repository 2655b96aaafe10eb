import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { assertAccessible, assertFits } from '../support/axe.js';
import { SCREENSHOTS } from '../support/demo-service.js';
import { pretendSessions } from '../support/pretended-sessions.js';
import { connectClient } from '../support/sdk-client.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const OPERATOR_KEY = 'for-operators';
/** First page of the list. */
const LIST = /\/v0\/vm$/;
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const BLUE = [20, 120, 220] as const;
const GREEN = [30, 160, 60] as const;
/** JPEG is not exact. */
const TOLERANCE = 12;

let service: Service;
test.beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  service = await Service.start({ OPERATOR_KEYS: OPERATOR_KEY });
});

/** The timers of the page run this many times faster. Otherwise each refresh of a test takes ten seconds. */
const FASTER = 10;

/** Opens the operator page without opening the panel. */
async function load(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZES.desktop, locale: 'en-GB', timezoneId: 'UTC' });
  await page.addInitScript((faster) => {
    const wait = window.setTimeout.bind(window);
    const shorter = (run: () => void, milliseconds = 0) => wait(run, milliseconds / faster);
    Object.assign(window, { setTimeout: shorter });
  }, FASTER);
  await page.goto(`${service.url}/operator`);
  await page.locator('#operator-key').fill(OPERATOR_KEY);
  await page.locator('#operator-key').press('Enter');
  await page.locator('.node').first().waitFor();
  return page;
}

/** Opens the panel, and enters the API key. */
async function show(page: Page, key = service.key): Promise<void> {
  await page.locator("[data-action='show-sessions']").click();
  await enter(page, key);
  await page.locator('.sessions-status:not(:empty)').waitFor();
  await page.locator('.sessions').scrollIntoViewIfNeeded();
}

async function enter(page: Page, key: string): Promise<void> {
  await page.locator('#api-key').fill(key);
  await page.locator('#api-key').press('Enter');
}

/** The colour in the middle of a tile's picture. Undefined without a picture. */
function middleOf(tile: Locator): Promise<number[] | undefined> {
  return tile.locator('img').evaluate((image: HTMLImageElement) => {
    if (image.hidden || image.naturalWidth === 0) return undefined;
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(image.naturalWidth / 2, image.naturalHeight / 2, 1, 1).data ?? [];
    return [...data].slice(0, 3);
  });
}

async function showsColour(tile: Locator, colour: readonly number[]): Promise<void> {
  await until(`the picture is ${colour.join(' ')}`, async () => {
    const seen = await middleOf(tile);
    return seen?.every((part, index) => Math.abs(part - (colour[index] ?? 0)) <= TOLERANCE);
  });
}

/** Lets a page believe that it is hidden, as behind another tab, or visible again. */
async function pretendHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test.describe('the overview of sessions', () => {
  test('shows the present picture of each session, none in privacy mode, and no ended session', async ({
    browser,
    pages,
  }) => {
    const remote = pages.page('marker');
    const session = await service.create({ start_url: remote.url, tag: 'painted', tenant_id: 'acme' });
    await remote.loaded();
    const page = await load(browser);
    await show(page);
    await page.getByText('One session is running.').waitFor();
    const tile = page.locator('.tile');
    await showsColour(tile, BLUE);
    const facts = await tile.locator('.tile-facts').innerText();
    assert.match(facts, /Session\s+[\da-f]{8}…\s+Tenant\s+acme\s+Started\s+\d/);
    assert.equal(await tile.locator('dd').first().getAttribute('title'), session.session_id);
    await tile.getByRole('heading', { name: 'painted' }).waitFor();
    await tile.getByRole('img', { name: 'Screen of session painted' }).waitFor();
    const [width, blob] = await tile
      .locator('img')
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.src] as const);
    assert.equal(width, 480);
    assert.match(blob, /^blob:/);
    await page.screenshot({ path: `${SCREENSHOTS}operator-session.png` });

    const place = await tile.boundingBox();
    await remote.run(`document.documentElement.style.background = 'rgb(${GREEN.join(' ')})'`);
    await showsColour(tile, GREEN);
    const moved = Math.abs(((await tile.boundingBox())?.y ?? 0) - (place?.y ?? 0));
    // A scroll position is rounded to whole pixels.
    assert.ok(moved < 1, `the tile has moved by ${moved} pixels`);
    const isReleased = (address: string) =>
      page.evaluate(
        (url) =>
          fetch(url)
            .then(() => false)
            .catch(() => true),
        address,
      );
    assert.equal(await isReleased(blob), true, 'the previous picture is released');

    const user = await connectClient(session, session.admin_token);
    await tile.getByText('1 viewer').waitFor();
    await user.users.enablePrivacyMode();
    await tile.getByText('A user is in privacy mode.').waitFor();
    assert.equal(await middleOf(tile), undefined);
    assert.equal(await tile.locator('img').isVisible(), false);
    await user.users.disablePrivacyMode();
    await showsColour(tile, GREEN);
    user.disconnect();

    await service.end(session);
    await tile.waitFor({ state: 'detached' });
    await page.getByText('No session is running.').waitFor();
    await page.close();
  });

  test('requests few pictures at a time, and only for tiles on the screen', async ({ browser }) => {
    const page = await load(browser);
    const { pictured, atOnce } = await pretendSessions(page);
    await show(page);
    await page.getByText('The oldest 100 sessions.').waitFor();
    const tiles = page.locator('.tile');
    await until('the first tile has a picture', () => middleOf(tiles.first()));
    assert.equal(await middleOf(tiles.nth(99)), undefined);
    await tiles.nth(99).scrollIntoViewIfNeeded();
    await until('the last tile has a picture', () => middleOf(tiles.nth(99)));
    assert.ok(atOnce() <= 2, `${atOnce()} pictures at a time`);
    assert.equal(pictured.includes(50), false, 'a tile that was not on the screen');
    await pretendHidden(page, true);
    await tiles.nth(50).scrollIntoViewIfNeeded();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    assert.equal(pictured.includes(50), false, 'a page that nobody sees');
    await pretendHidden(page, false);
    await until('the tile has a picture', () => middleOf(tiles.nth(50)));
    // A picture would continue a frozen session, and others have no picture yet or any more.
    for (const nth of [5, 6, 7]) assert.equal(pictured.includes(nth), false);

    await page.getByRole('button', { name: 'Hide' }).click();
    assert.equal(await tiles.count(), 0);
    // Two requests were under way when the panel was closed.
    const count = pictured.length;
    await page.getByRole('button', { name: 'Show' }).first().waitFor();
    assert.ok(pictured.length <= count + 2, 'a closed panel');
    await page.close();
  });

  test('is accessible and complete on every screen', async ({ browser }) => {
    const page = await load(browser);
    const answers = await pretendSessions(page);
    await show(page);
    const tiles = page.locator('.tile');
    await tiles.nth(3).getByText('A user is in privacy mode.').waitFor();
    await tiles.nth(4).getByText('The machine of this session does not answer.').waitFor();
    await tiles.nth(7).getByText('In standby: nobody uses the session.').waitFor();
    for (const [look, media] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['forced', { colorScheme: 'dark', forcedColors: 'active' }],
    ] as const)
      for (const [name, size] of Object.entries(SIZES)) {
        await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        await assertFits(page, `${name}, ${look}`);
        // axe computes contrasts with the colours of the page, which forced colours replace.
        if (look !== 'forced') await assertAccessible(page, `${name}, ${look}`);
        await page.locator('.sessions').evaluate((panel) => panel.scrollIntoView());
        await until('the first tile has a picture', () => middleOf(tiles.first()));
        await page.screenshot({ path: `${SCREENSHOTS}operator-sessions-${name}-${look}.png` });
      }
    await page.setViewportSize({ width: 320, height: 640 });
    await assertFits(page, 'a very small screen');

    const more = page.getByRole('button', { name: 'Show more' });
    await more.focus();
    await page.keyboard.press('Enter');
    await tiles.nth(199).waitFor();
    await more.focus();
    await page.keyboard.press('Enter');
    await tiles.nth(229).waitFor();
    await more.waitFor({ state: 'hidden' });
    // The focus stays in the list, at the first new tile.
    assert.equal(await tiles.nth(200).evaluate((tile) => tile === document.activeElement), true);
    await page.getByText('230 sessions are running.').waitFor();
    answers.rows = answers.rows.slice(1);
    await page.getByText('229 sessions are running.').waitFor();
    await page.close();
  });

  test('reports errors, keeps the old picture, and asks for another key', async ({ browser }) => {
    const page = await load(browser);
    await pretendSessions(page);
    await page.route('**/session-0/screenshot?*', (route) => route.abort());
    await show(page);
    const tile = page.locator('.tile').first();
    await tile.getByText('The service does not answer.').waitFor();
    await page.unroute('**/session-0/screenshot?*');
    await until('the picture is tried again', () => middleOf(tile));
    await tile.locator('.tile-note').waitFor({ state: 'hidden' });
    await page.route('**/session-0/screenshot?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'err_browser_unavailable' } }),
    );
    await tile.getByText(/^The browser is restarting\. The picture is from [\d:]+\.$/).waitFor();
    assert.ok(await middleOf(tile));
    await assertAccessible(page, 'with an old picture');
    await page.locator('.sessions').evaluate((panel) => panel.scrollIntoView());
    await page.screenshot({ path: `${SCREENSHOTS}operator-sessions-errors.png` });

    await page.route(LIST, (route) => route.abort());
    await page.locator('.sessions-status', { hasText: 'The service does not answer.' }).waitFor();
    assert.equal(await tile.isVisible(), true);
    await page.unroute(LIST);
    await page.route(LIST, (route) => route.fulfill({ status: 401, json: { code: 'err_unauthenticated' } }));
    await page.locator('.sessions-status', { hasText: 'does not know this API key' }).waitFor();
    assert.equal(await page.locator('.tile').count(), 0);
    await assertAccessible(page, 'with a refused key');
    await page.unroute(LIST);
    await page.getByRole('button', { name: 'Enter a key' }).click();
    await enter(page, service.key);
    await page.locator('.tile').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Enter a key' }).isVisible(), false);

    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.locator('#operator-key').waitFor();
    assert.equal(await page.locator('.tile').count(), 0, 'the pictures are gone with the page');
    await page.close();
  });
});
