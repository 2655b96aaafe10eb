import type { Browser, Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.js';
import { demoAddress, demoService } from '../support/demo-service.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const COLOURS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
} as const;
const SIZES = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
];

/**
 * Checks a page once in each colour scheme and once at each size. With `EVERY_LOOK` it checks all
 * combinations.
 */
async function look(page: Page, what: string): Promise<void> {
  for (const [nth, [name, colours]] of Object.entries(COLOURS).entries()) {
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce', ...colours });
    for (const size of process.env['EVERY_LOOK'] === undefined ? SIZES.slice(nth, nth + 1) : SIZES) {
      await page.setViewportSize(size);
      await assertAccessible(page, `${what}, in ${name}, ${size.width}x${size.height}`);
    }
  }
}

const open = (browser: Browser) => browser.newPage({ viewport: { width: 1440, height: 900 } });

test.describe('the accessibility checker finds no fault', () => {
  test('in the embed page while it plays, while it counts down and after the session', async ({
    service,
    browser,
  }) => {
    const session = await service.create({ timeout: { inactive: 300, warning: 299 } });
    const page = await open(browser);
    await page.goto(session.embed_url);
    await new Viewer(page).playing();
    await look(page, 'while it plays');
    await page.locator('[part=warning]').waitFor();
    await look(page, 'while it counts down');
    await service.end(session);
    await page.locator('[part~=step]').first().waitFor();
    await look(page, 'when it is over');
    await page.close();
  });

  test.describe('in the demo', () => {
    let demo: Service;
    test.beforeAll(async () => {
      demo = await demoService();
    });

    for (const [path, form] of [
      ['/', '.session-form'],
      ['/mobile', '.start-form'],
      ['/admin', '.start-form'],
    ] as const)
      test(`${path}, before a session and during one`, async ({ pages, browser }) => {
        const page = await open(browser);
        await page.goto(demoAddress(demo, path));
        await page.locator(`${form} [type=submit]`).waitFor();
        await look(page, `${path} before`);
        await page.locator('#start-url').fill(pages.page('text').url);
        await page.locator(`${form} [type=submit]`).click();
        await new Viewer(page).playing();
        await look(page, `${path} with a session`);
        await page.close();
      });
  });
});
