import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { CLOSING_KEYS, KIOSK_KEYS } from '../../../server/src/host/input/keyboard/kiosk-keys.js';
import { DisplayWindows } from '../support/display-windows.js';
import { Hands } from '../support/hands.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

const SIZE = { width: 800, height: 600 };
/** Shortcuts that pages use and that Chromium acts on as well. */
const PAGE_KEYS = 'UDEHJKLOPS1'
  .split('')
  .map((key) => (key === '1' ? 'Control+Digit1' : `Control+Key${key}`));

let service: Service;
let page: HostedPage;
let hands: Hands;
let windows: DisplayWindows;

async function begin(parameters: object, url: string): Promise<void> {
  const session = await service.create({ ...SIZE, start_url: url, ...parameters });
  hands = new Hands(await connectClient(session));
  windows = await DisplayWindows.open(service);
}

/** Asserts that a key reaches the page, and that the page is alone on the screen with its original size. */
async function pageIsAlone(height: number, what: string): Promise<void> {
  const markers = page.count('KeyZ');
  await until(`a key reaches the page after ${what}`, () => {
    // A key that arrives before the page has the focus again is lost.
    hands.press('KeyZ');
    return page.count('KeyZ') > markers;
  });
  // The display, the page and the report see a change at different times, and the key may have arrived before
  // it.
  const whole = { windows: [['800x600+0+0', true]], page: [height, true, false] };
  let seen: unknown;
  await until(`the page is alone after ${what}`, async () => {
    const listed = (await windows.list()).map(({ place, active }) => [place, active]);
    // A reload that is still under way takes the answer with it.
    const replaced = page.replaced();
    const state = page.run('[innerHeight, document.hasFocus(), document.hidden]');
    seen = { windows: listed, page: await Promise.race([state, replaced]) };
    return isDeepStrictEqual(seen, whole);
  }).catch(() => assert.deepEqual(seen, whole, what));
}

test.beforeAll(async ({ service: shared, pages }) => {
  service = shared;
  page = pages.page('acts');
  await begin({ kiosk: true }, page.url);
  await page.fills(SIZE);
  await page.run('addEventListener("pagehide", () => report({ event: "gone" }))');
});

test.describe('a kiosk', () => {
  for (const [what, keys] of [
    ['that the browser keeps for itself', KIOSK_KEYS],
    ['that pages use', PAGE_KEYS],
  ] as const)
    // Proves: a kiosk shows its page, whatever key or click
    test(`shows its page whatever shortcut ${what} is pressed`, async () => {
      hands.click(600, 500);
      for (const key of keys) hands.press(key);
      await pageIsAlone(SIZE.height, 'all of them');
      // Reports of a page may overtake each other.
      for (const key of PAGE_KEYS) if (keys.includes(key)) await page.event(key);
      assert.equal(page.loads, 1);
      assert.equal(page.count('gone'), 0);
    });

  // Proves: a kiosk shows its page, whatever key or click
  test('shows its page when shortcuts are pressed during reloads', { tag: '@main' }, async () => {
    // No document receives keys for a moment, so Chromium handles the shortcuts alone.
    for (let round = 0; round < 10; round++) {
      hands.press('F5');
      for (const key of PAGE_KEYS) hands.press(key);
    }
    await pageIsAlone(SIZE.height, 'the reloads');
  });

  // Proves: a kiosk shows its page, whatever key or click
  test(
    'starts no other program, and shows no bar for features that pages cannot use',
    { tag: '@main' },
    async () => {
      for (const [x, y] of [
        [60, 65],
        [60, 105],
        [60, 145],
        [60, 195],
      ] as const) {
        const clicks = page.count('click');
        hands.click(x, y);
        await page.event('click', clicks + 1);
        await pageIsAlone(SIZE.height, `a click at ${y}`);
      }
      await page.event('cancel');
    },
  );

  // Proves: a kiosk shows its page, whatever key or click
  test('never pastes the selection on a middle click', async () => {
    hands.click(60, 270);
    hands.press('Control+KeyA');
    hands.click(60, 230, 1);
    await page.event('auxclick');
    await pageIsAlone(SIZE.height, 'the middle click');
    assert.equal(page.count('paste'), 0);
  });

  for (const key of CLOSING_KEYS)
    // Proves: a kiosk shows its page, whatever key or click
    test(`closes a popup on ${key}, and gets the keyboard back`, async () => {
      const { loads } = page;
      hands.click(60, 30);
      await until('the popup is in front and fills the screen', async () =>
        (await windows.list()).some(
          ({ role, active, place }) => role === 'pop-up' && active && place.startsWith('800x'),
        ),
      );
      hands.press(key);
      await until('the popup is gone', async () => (await windows.list()).length === 1);
      hands.press(key);
      await pageIsAlone(SIZE.height, 'the popup');
      assert.equal(page.loads, loads);
    });

  test('returns from another page that was opened in a popup', async () => {
    hands.click(60, 310);
    await until('the other page is in a popup', async () =>
      (await windows.list()).some(({ role, active }) => role === 'pop-up' && active),
    );
    hands.press('Control+KeyW');
    await until('the page is shown', () => page.run('document.hasFocus()'));
    await pageIsAlone(SIZE.height, 'the other page');
  });

  test('opens a popup that a form requests', { tag: '@main' }, async () => {
    hands.clickShifted(310, 230);
    await until('the form is sent in a popup', async () =>
      (await windows.list()).some(({ role, active }) => role === 'pop-up' && active),
    );
    await until('the popup is the one window beside the page', async () => {
      const roles = (await windows.list()).map(({ role }) => role);
      return roles.sort().join() === 'browser,pop-up';
    });
    hands.press('Control+KeyW');
    await until('the popup is gone', async () => (await windows.list()).length === 1);
    await pageIsAlone(SIZE.height, 'the form');
  });
});
