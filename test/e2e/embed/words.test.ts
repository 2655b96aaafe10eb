import assert from 'node:assert/strict';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { isSoundPacket } from '../../../src/protocol/index.js';
import { hold } from '../../support/limits.js';
import { askSession } from '../support/ask-session.js';
import { Ear } from '../support/ear.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import { playing } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
const TONE_HZ = 440;

test.describe('messages to users', () => {
  test('offer to turn on sound that the browser blocks, and one click starts it', async ({
    show,
    browser,
  }) => {
    const { remote, session } = await show('tone', { kiosk: true, ...SIZE });
    // The hosted browser also blocks a page's sound until a click, so another user clicks there.
    const other = await RawViewer.open(session);
    for (const [index, pressed] of [true, false].entries())
      other.send({ type: 'button', seq: index + 1, modifiers: 0, x: 300, y: 200, button: 0, pressed });
    await remote.event('click');
    await remote.run(`play(${TONE_HZ})`);

    const page = await browser.newPage({ viewport: SIZE });
    // Every script of the test in the page counts as a gesture, so the test runs none before sound arrives.
    const sounded = new Promise<void>((resolve) =>
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (typeof payload !== 'string' && isSoundPacket(payload)) resolve();
        }),
      ),
    );
    await page.goto(session.embed_url);
    await sounded;
    const unmute = page.locator('[part=unmute]');
    await unmute.waitFor();
    const blocked = () =>
      page.evaluate(() => document.querySelector<CloudBrowserElement>('cloud-browser')?.audioBlocked);
    assert.equal(await blocked(), true);
    await unmute.click();
    await unmute.waitFor({ state: 'detached' });
    assert.equal(await blocked(), false);
    const ear = await Ear.on(
      await page.evaluateHandle(() =>
        document.querySelector<CloudBrowserElement>('cloud-browser')!.viewer!.captureSound()!,
      ),
    );
    await ear.hears(TONE_HZ);
    await page.close();
    other.close();
  });

  // Proves: page: what the page in an iframe shows
  test('announce the end of an unused session in an iframe, and offer to stay', async ({
    service,
    browser,
  }) => {
    const session = await service.create({ ...SIZE });
    const page = await browser.newPage();
    await page.setContent(`<iframe width="640" height="480" src="${session.embed_url}"></iframe>`);
    await playing((await (await page.waitForSelector('iframe')).contentFrame())!);
    // The limit starts here, because a slow machine may need all of it to show the page.
    await askSession(session, 'POST', 'timeout', { inactive: 12, warning: 8 });
    const frame = page.frameLocator('iframe');
    const warning = frame.locator('[part=warning]');
    await warning.waitFor();
    assert.match((await warning.textContent()) ?? '', /closes in\s+0:0\d/);
    await frame.getByRole('button', { name: 'Stay' }).click();
    await warning.waitFor({ state: 'detached' });
    const kept = performance.now();
    await warning.waitFor();
    note(`warned again ${Math.round(performance.now() - kept)} ms later`);
    const title = frame.locator('[part=panel] .title');
    await title.waitFor();
    assert.equal(await title.textContent(), 'Session ended');
    const told = page.evaluate(
      () =>
        new Promise((resolve) =>
          window.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
            if (data.type === 'start_again') resolve(data);
          }),
        ),
    );
    // The listener is added before the click, because both use the same connection in order.
    await frame.getByRole('button', { name: 'Start again' }).click();
    assert.deepEqual(await told, { type: 'start_again', data: { reason: 'inactive' } });
    await page.close();
  });

  test(
    'report at once that the network is lost, and that it is back',
    { tag: '@timing' },
    async ({ service, browser }) => {
      const session = await service.create({ ...SIZE });
      const viewer = await openViewer(browser, session, { viewport: SIZE });
      const context = viewer.page.context();
      const shown = await viewer.page.evaluateHandle(() => {
        const times: Record<string, number> = {};
        window.addEventListener('offline', () => (times['offline'] = performance.now()));
        const element = document.querySelector('cloud-browser');
        const look = () => {
          const text = element?.shadowRoot?.querySelector('[part=status]')?.textContent ?? '';
          if (text.includes('offline')) times['told'] ??= performance.now();
          requestAnimationFrame(look);
        };
        look();
        return times;
      });
      await context.setOffline(true);
      await until('it is told', async () => (await shown.jsonValue())['told']);
      const { offline = 0, told = Infinity } = await shown.jsonValue();
      hold('a lost network is told', told - offline);
      await context.setOffline(false);
      await viewer.playing();
    },
  );
});
