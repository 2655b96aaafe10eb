import assert from 'node:assert/strict';
import { DisplayWindows } from '../support/display-windows.js';
import { Hands } from '../support/hands.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };

for (const [where, parameters] of [
  ['a tab', { kiosk: false }],
  ['a kiosk', { kiosk: true }],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }],
] as const) {
  test.describe(`a popup of ${where}`, () => {
    let opener: HostedPage;
    let popup: HostedPage;
    let hands: Hands;
    let windows: DisplayWindows;

    test.beforeAll(async ({ service, pages }) => {
      [opener, popup] = [pages.page('opener'), pages.page('popup')];
      const session = await service.create({ ...SIZE, start_url: opener.url, ...parameters });
      await opener.loaded();
      await opener.run(`link.href = ${JSON.stringify(popup.url)}`);
      hands = new Hands(await connectClient(session));
      windows = await DisplayWindows.open(service);
    });

    /** Opens a popup one way; resolves when it has talked to its opener. */
    async function open(way: string): Promise<void> {
      const before = opener.count('popup is here');
      await opener.run(`way = ${JSON.stringify(way)}`);
      hands.click(400, 400);
      await opener.event('popup is here', before + 1);
    }

    /** Asserts that the opener has the focus, and that its timer never stopped. */
    async function isBack(gone: number): Promise<void> {
      await opener.event('popup is gone', gone);
      await until('the opener has the focus', () => opener.run('document.hasFocus()'));
      const ticks = Number(opener.state['ticks']);
      await opener.until('its timer goes on', (state) => Number(state['ticks']) > ticks + 2);
    }

    for (const way of ['sized', 'plain', 'empty', 'link']) {
      // Proves: popups of every kind, and the way back from them
      test(`opened by ${way === 'link' ? 'a link with rel=opener' : `window.open, ${way},`} loads, communicates with its opener and closes, and the opener continues`, async () => {
        const gone = opener.count('popup is gone');
        await open(way);
        const ticks = Number(opener.state['ticks']);
        await opener.until('its timer goes on', (state) => Number(state['ticks']) > ticks + 2);
        await opener.run('dismiss()');
        await isBack(gone + 1);
      });
    }

    if (!parameters.kiosk) return;

    for (const way of ['plain', 'link']) {
      // Proves: popups of every kind, and the way back from them
      test(`opened by ${way === 'link' ? 'a link with rel=opener' : 'a plain window.open'} has a title bar with a button that closes it`, async () => {
        const gone = opener.count('popup is gone');
        await open(way);
        await until('it has a window below a title bar', async () =>
          (await windows.list()).some(
            ({ role, active, place }) => role === 'pop-up' && active && /^800x5\d\d\+0\+[1-9]/.test(place),
          ),
        );
        // The button is large enough for a finger.
        hands.click(SIZE.width - 38, 36);
        await isBack(gone + 1);
        assert.equal((await windows.list()).length, 1);
        assert.equal(opener.loads, 1);
      });
    }
  });
}
