import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from '@playwright/test';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

let service: Service;
let browser: Browser;
let page: Page;
let admin: Seat;
let guest: Seat;

/** One of the page's two viewers, and its user's row in the panel. */
class Seat {
  readonly window: Locator;
  readonly browser: Locator;
  readonly row: Locator;

  constructor(readonly name: string) {
    this.window = page.locator(`.seat[aria-label=${name}]`);
    this.browser = this.window.locator('cloud-browser');
    this.row = page.locator(`.person[aria-label=${name}]`);
  }

  /** The number of pictures that the viewer has painted. */
  pictures(): Promise<number> {
    return this.browser.evaluate((element: CloudBrowserElement) => element.stats?.framesPainted ?? 0);
  }

  async plays(): Promise<void> {
    await until(`${this.name} sees a picture`, async () => (await this.pictures()) > 0);
  }

  /** Resolves when both the window and the panel show that this user controls the session. */
  async controlsAlone(): Promise<void> {
    await page.locator('.seat.controls').nth(1).waitFor({ state: 'detached' });
    await page.locator(`.seat.controls[aria-label=${this.name}]`).waitFor();
    await this.row.locator('.badge.on').waitFor();
  }

  async points(x: number, y: number): Promise<void> {
    await this.browser.hover({ position: { x, y } });
  }
}

const tab = (title: string) => page.locator('.tab', { hasText: title });
const activity = (text: string) => page.locator('.activity-line', { hasText: text }).first();

test.beforeAll(async ({ browser: sharedBrowser }) => {
  service = await demoService();
  browser = sharedBrowser;
});

test.describe('the admin demo', () => {
  // Each test continues with the page as the test before left it.
  test.describe.configure({ mode: 'serial' });

  test('shows a session to two people and gives control to the admin', async ({ pages }) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    [admin, guest] = [new Seat('Admin'), new Seat('Guest')];
    const remote = pages.page('pointer');
    await page.goto(demoAddress(service, '/admin'));
    await page.screenshot({ path: `${SCREENSHOTS}admin-start.png` });
    await page.locator('#start-url').fill(remote.url);
    await page.locator('.start-form [type=submit]').click();
    await Promise.all([admin.plays(), guest.plays(), remote.loaded()]);
    await activity('Guest joined').waitFor();
    await admin.controlsAlone();
  });

  test('gives control to a person who requests it', async () => {
    await guest.window.locator('[data-do=control]').click();
    await guest.row.locator('text=Asks for control').waitFor();
    await guest.row.locator('[data-do=give]').click();
    await guest.controlsAlone();
    await activity('Guest has control').waitFor();
  });

  test('changes a role, and the change takes effect at once', async () => {
    const pointer = guest.browser.locator('.peer');
    await admin.points(200, 150);
    await pointer.waitFor();
    const role = guest.row.locator('[data-role=cursor_data]');
    await role.click();
    await guest.row.locator('[data-role=cursor_data][aria-pressed=false]').waitFor();
    await pointer.waitFor({ state: 'detached' });
    const me = await guest.browser.evaluate((element: CloudBrowserElement) => element.client?.users.me());
    assert.ok(me);
    assert.equal(me.id, await guest.row.getAttribute('data-user'));
    assert.equal(me.roles.includes('cursor_data'), false);
    await activity('Guest lost Pointers').waitFor();
  });

  test('opens, switches and closes tabs for everybody', async ({ pages }) => {
    const second = pages.page('text');
    const before = await Promise.all([admin.pictures(), guest.pictures()]);
    await page.locator('#tab-url').fill(second.url);
    await page.locator('#tab-url').press('Enter');
    await second.loaded();
    const title = String(await second.run('document.title'));
    await tab(title).and(page.locator('.active')).waitFor();
    assert.equal(await second.run('document.visibilityState'), 'visible');
    await until('both get new pictures', async () => {
      const now = await Promise.all([admin.pictures(), guest.pictures()]);
      return now[0] > before[0] && now[1] > before[1];
    });
    await second.run("document.title = 'Renamed'");
    await tab('Renamed').waitFor();
    await page.screenshot({ path: `${SCREENSHOTS}admin-live.png` });

    await page.locator('.tab:not(.active) .tab-switch').click();
    await page.locator('.tab.active:not(:has-text("Renamed"))').waitFor();
    await tab('Renamed').locator('.tab-close').click();
    await tab('Renamed').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.tab').count(), 1);
  });

  test('removes a person, who sees a message and can return as a new user', async () => {
    const userId = await guest.row.getAttribute('data-user');
    const reasons = await guest.browser.evaluateHandle((element: CloudBrowserElement) => {
      const list: string[] = [];
      element.addEventListener('disconnect', ({ reason }) => list.push(reason));
      return list;
    });
    await guest.row.locator('[data-do=kick]').click();
    await until('the guest is told', async () => (await reasons.jsonValue()).length > 0);
    assert.deepEqual(await reasons.jsonValue(), ['kicked']);
    await guest.row.waitFor({ state: 'detached' });
    await activity('Guest left').waitFor();
    await admin.controlsAlone();
    await guest.window.locator('[data-do=door]').click();
    await guest.row.waitFor();
    assert.notEqual(await guest.row.getAttribute('data-user'), userId);
  });

  test('fits a phone, and ends the session', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const [first, second] = [await admin.window.boundingBox(), await guest.window.boundingBox()];
    assert.ok(first && second && second.y >= first.y + first.height, 'one is below the other');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.screenshot({ path: `${SCREENSHOTS}admin-phone.png`, fullPage: true });
    await page.locator('[data-action=end]').click();
    await page.locator('.start-form').waitFor();
    assert.equal(await page.locator('cloud-browser').count(), 0);
  });
});
