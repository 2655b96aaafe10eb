import assert from 'node:assert/strict';
import type { Browser } from '@playwright/test';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { Fingers } from '../support/fingers.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const AUTO = { kiosk: true, pixel_ratio: 'auto', max_area: 1920 * 1080 };
const SIZE = { width: 640, height: 400 };
const FINE = { viewport: SIZE, deviceScaleFactor: 2 };
const GEOMETRY = '[devicePixelRatio, screen.width, screen.height, innerWidth, outerHeight]';

let browser: Browser;
test.beforeAll(({ browser: sharedBrowser }) => {
  browser = sharedBrowser;
});

for (const pixel_ratio of [2, 'auto']) {
  test.describe(`a browser with the pixel ratio ${pixel_ratio}`, () => {
    test('keeps the size of its pages, and clicks and scrolls at the right place', async ({ show }) => {
      const { remote, session } = await show('pointer', { ...SIZE, kiosk: false, pixel_ratio });
      const viewer = await openViewer(browser, session, FINE);
      await until('the picture is as fine', async () => (await viewer.size()).width === SIZE.width * 2);
      assert.deepEqual(await viewer.size(), { width: 1280, height: 800 });
      await until('the page is as fine', async () => (await remote.run('devicePixelRatio')) === 2);
      assert.deepEqual(await remote.run(GEOMETRY), [2, SIZE.width, SIZE.height, SIZE.width, SIZE.height]);
      const top = SIZE.height - Number(await remote.run('innerHeight'));
      // The browser's own interface has the same height as with a pixel ratio of 1.
      assert.ok(top > 60 && top < 130, `${top}`);

      await viewer.page.mouse.click(500, top + 150);
      await remote.event('click 0');
      await viewer.page.mouse.move(100, top + 200);
      await viewer.page.evaluate(
        ([x, y]) => {
          const surface = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('.surface');
          const at = { clientX: x, clientY: y, deltaX: 15, deltaY: 35, bubbles: true, cancelable: true };
          surface?.dispatchEvent(new WheelEvent('wheel', at));
        },
        [100, top + 200] as const,
      );
      await remote.until(
        'the box is scrolled to the pixel',
        ({ left, top: down }) => left === 15 && down === 35,
      );
      await viewer.close();
    });

    test('opens lists at the right size, and keeps the pointer and the zoom', async ({ show }) => {
      const { remote, session } = await show('pointer', { ...SIZE, kiosk: true, pixel_ratio });
      const viewer = await openViewer(browser, session, FINE);
      await until('the page is as fine', async () => (await remote.run('devicePixelRatio')) === 2);
      await viewer.atRest();
      await remote.run(`document.getElementById('custom').style.top = '300px'`);
      await viewer.page.mouse.move(300, 330);
      await until('the pointer has its shape', async () => (await viewer.cursor()).includes('2x) 5 7'));

      await viewer.page.mouse.click(500, 35);
      await remote.event('focus');
      const painted = await viewer.framesPainted();
      await until('the list is there', async () => (await viewer.framesPainted()) > painted);
      await viewer.atRest();
      // The list opens below the field with three lines of 16 px text. The second is about 30 px below the
      // edge.
      await viewer.page.mouse.click(450, 50 + 30);
      await remote.until('an option is chosen', ({ choice }) => choice === 'second');
      await viewer.close();
    });
  });
}

test.describe('a popup on a fine screen', () => {
  for (const pixel_ratio of [2, 'auto']) {
    test(`has a title bar large enough for a finger, with the ratio ${pixel_ratio}`, async ({
      show,
      pages,
    }) => {
      const popup = pages.page('popup');
      const { remote: opener, session } = await show('opener', { ...SIZE, kiosk: true, pixel_ratio });
      const viewer = await openViewer(browser, session, FINE);
      await until('the page is as fine', async () => (await opener.run('devicePixelRatio')) === 2);
      await opener.run(`link.href = ${JSON.stringify(popup.url)}; way = 'plain'`);
      await viewer.atRest();
      await viewer.page.mouse.click(300, 200);
      await opener.event('popup is here');
      await until('the popup is below its title bar', async () => {
        const bar = SIZE.height - Number(await popup.run('innerHeight'));
        return bar > 14 && bar < 60;
      });
      // Its only button is at the right end.
      await viewer.page.mouse.click(SIZE.width - 10, 10);
      await opener.event('popup is gone');
      await viewer.close();
    });
  }
});

test.describe('an automatic pixel ratio', () => {
  // Proves: pixel_ratio
  test('uses the ratio of the first viewer, and drops it for a larger screen', async ({ show }) => {
    const { remote, session } = await show('corners', { ...SIZE, ...AUTO });
    await remote.fills(SIZE);
    // A client without a screen reports no pixel ratio.
    const client = await connectClient(session);
    assert.equal(client.pixelRatio, 1);
    const first = await openViewer(browser, session, FINE);
    const second = await openViewer(browser, session, { viewport: SIZE, deviceScaleFactor: 3 });
    const is = async (ratio: number) =>
      until(`the ratio is ${ratio}`, async () => (await remote.run('devicePixelRatio')) === ratio);
    await is(2);
    await until('the client knows it', () => client.pixelRatio === 2 && client.stream?.width === 1280);
    await client.resize(1920, 1080);
    await is(1);
    await remote.fills({ width: 1920, height: 1080 });
    await until('the client knows it', () => client.pixelRatio === 1 && client.stream?.width === 1920);
    await client.resize(SIZE.width, SIZE.height);
    await is(2);
    await remote.fills(SIZE);
    await first.close();
    await second.close();
  });

  test('follows a phone that is turned, and touches land at the right place', async ({ show }) => {
    const { remote, session } = await show('touch', { ...AUTO, user_agent: 'chrome_android' });
    const phone = {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
    };
    const viewer = await openViewer(browser, { embed_url: `${session.embed_url}&resize=auto` }, phone);
    let taps = 0;
    const fingers = new Fingers(await viewer.cdp());
    for (const viewport of [phone.viewport, { width: 844, height: 390 }, phone.viewport]) {
      await viewer.page.setViewportSize(viewport);
      const fills = () => remote.run('[innerWidth, innerHeight, devicePixelRatio]');
      const wanted = [viewport.width, viewport.height, 2];
      await until('the page fills the phone', async () => String(await fills()) === String(wanted));
      await until('the picture too', async () => (await viewer.size()).width === viewport.width * 2);
      const at = [viewport.width - 12, viewport.height - 12] as const;
      const [left, top] = at.map((place) => `${place - 8}px`);
      const style = { left, top, width: '16px', height: '16px', padding: '0', position: 'fixed' };
      await remote.run(`Object.assign(button.style, ${JSON.stringify(style)})`);
      await fingers.tap(at);
      await remote.event('click', ++taps);
    }
    const shown = await viewer.page.evaluate(() => {
      const canvas = document.querySelector<CloudBrowserElement>('cloud-browser')?.viewer?.canvas;
      return [canvas?.width, canvas?.getBoundingClientRect().width];
    });
    assert.deepEqual(shown, [780, 390]);
    await viewer.close();
  });
});
