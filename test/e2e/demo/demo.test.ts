import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { demoAddress, demoService, SCREENSHOTS } from '../support/demo-service.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const VEIL = [30, 160, 60] as const;

let service: Service;
test.beforeAll(async () => {
  service = await demoService();
});

test.describe('the demo', () => {
  for (const { name, options } of [
    { name: 'desktop', options: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  ]) {
    test(
      `starts a session on a ${name}, shows it with its figures, and ends it`,
      { tag: '@main' },
      async ({ pages, browser }) => {
        const remote = pages.page('motion');
        const context = await browser.newContext(options);
        const page = await context.newPage();
        const viewer = new Viewer(page);
        await page.goto(demoAddress(service));
        await page.waitForURL(`${service.url}/`);
        await page.screenshot({ path: `${SCREENSHOTS}demo-${name}-empty.png` });
        await page.locator('#start-url').fill(remote.url);
        await page.locator('.session-form [type=submit]').click();
        await viewer.playing();
        await remote.loaded();

        const numbers = page.locator('.figures .figure-number');
        await until('all figures are numbers', async () => {
          // One of the figures is measured by input.
          await page.locator('cloud-browser').click();
          const texts = await numbers.allTextContents();
          return (
            texts.length === 4 && texts.every((text) => /^\d+(\.\d+)?$/.test(text)) && Number(texts[0]) > 0
          );
        });
        await page.screenshot({ path: `${SCREENSHOTS}demo-${name}.png` });
        await remote.run('rest()');
        const { width, height } = await viewer.size();
        await viewer.shows(VEIL, Math.round(width / 2), Math.round(height / 2));

        await page.locator('[data-action=end]').click();
        await page.locator('[data-notice=ended]').waitFor();
        assert.equal(await page.locator('cloud-browser').count(), 0);
        await page.screenshot({ path: `${SCREENSHOTS}demo-${name}-ended.png` });
        await context.close();
      },
    );
  }

  test('takes settings from its address, and changes the fit and the volume', async ({ pages, browser }) => {
    const remote = pages.page('clipboard');
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(demoAddress(service));
    await page.locator('#start-url').fill(remote.url);
    await page.locator('#size').selectOption('1024x768');
    await page.locator('[name=quality][value=sharp]').check({ force: true });
    await page.locator('.session-form [type=submit]').click();
    await new Viewer(page).playing();
    await remote.loaded();
    await remote.run(`location.hash = 'moved'`);
    await page.locator('.address', { hasText: '#moved' }).waitFor();
    await page.locator('[name=fit][value=none]').check({ force: true });
    await page.locator('#volume').fill('30');
    const set = () =>
      page.evaluate<unknown[]>(
        `(({ fit, volume }) => [fit, volume])(document.querySelector('cloud-browser'))`,
      );
    assert.deepEqual(await set(), ['none', 0.3]);
    await page.screenshot({ path: `${SCREENSHOTS}demo-view.png` });
    await page.locator('[data-action=end]').click();
    await page.locator('[data-notice=ended]').waitFor();
    assert.equal(await page.locator('.view-card').isVisible(), false);
    await context.close();
  });

  test('shows the complete code that embeds a session', async ({ browser }) => {
    const page = await browser.newPage();
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(demoAddress(service));
      for (const kind of ['page', 'server', 'iframe']) {
        await page.locator(`[name=snippet][value=${kind}]`).check({ force: true });
        const cut = await page
          .locator('.snippet')
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        assert.ok(cut <= 0, `${kind} at ${viewport.width}: ${cut} pixels are cut`);
      }
    }
    await page.close();
  });

  test('fills the screen and asks once for the browser’s own keys', async ({ pages, browser }) => {
    const remote = pages.page('motion');
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const asked: string[] = [];
      const keyboard = {
        lock: () => Promise.resolve(void asked.push('lock')),
        unlock: () => void asked.push('unlock'),
      };
      Object.defineProperty(navigator, 'keyboard', { value: keyboard });
      Object.assign(window, { asked });
    });
    await page.goto(demoAddress(service));
    await page.locator('#start-url').fill(remote.url);
    await page.locator('.session-form [type=submit]').click();
    await new Viewer(page).playing();
    await page.locator('[data-action=fullscreen]').click();
    const filled = (fills: boolean) =>
      page.waitForFunction((is) => (document.fullscreenElement?.localName === 'cloud-browser') === is, fills);
    await filled(true);
    // Chromium without a window sometimes never settles the promise of `exitFullscreen`.
    await page.evaluate(() => void document.exitFullscreen());
    await filled(false);
    const asked = () => page.evaluate(() => Reflect.get(window, 'asked') as string[]);
    await until('the keys are given back', async () => (await asked()).includes('unlock'));
    assert.deepEqual(await asked(), ['lock', 'unlock']);
    await page.locator('[data-action=end]').click();
    await page.locator('[data-notice=ended]').waitFor();
    await page.close();
  });

  test('shares the key from its address with every tab, and has no key if the address was used before', async ({
    browser,
  }) => {
    const used = demoAddress(service);
    const lent = (page: Page) => page.evaluate(() => localStorage.getItem('cloud-browser-demo.key'));
    const context = await browser.newContext();
    const first = await context.newPage();
    await Promise.all([first.waitForResponse(`${service.url}/demo/key`), first.goto(used)]);
    const second = await context.newPage();
    await second.goto(service.url);
    await until('the key is kept', async () => (await lent(second)) !== null);
    await context.close();

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(used);
    await stranger.locator('.session-form [type=submit]').click();
    await stranger.locator('.form-error:has-text("open the newest address")').waitFor();
    await stranger.locator('.session-form [type=submit]').click();
    await stranger.locator('.key-dialog[open]').waitFor();
    assert.equal(await lent(stranger), null);
    await stranger.context().close();
  });
});
