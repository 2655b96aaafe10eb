import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { DEAD_KEYS } from '../../../server/src/host/input/keyboard/kiosk-keys.js';
import { DisplayWindows, type DisplayWindow } from '../support/display-windows.js';
import { Hands } from '../support/hands.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();

const SIZE = { width: 800, height: 600 };
const FULL = '800x600+0+0';
/** A free place in the tab strip, beside the tabs. */
const STRIP = [700, 15] as const;
/** The place of the second tab. */
const TAB = 350;

for (const kiosk of [false, true]) {
  test.describe(`the window of ${kiosk ? 'a kiosk' : 'a session with tabs'}`, () => {
    let page: HostedPage;
    let client: CloudBrowserClient;
    let hands: Hands;
    let windows: DisplayWindows;
    let height: unknown;

    test.beforeAll(async ({ service, pages }) => {
      page = pages.page('acts');
      const session = await service.create({ ...SIZE, kiosk, start_url: page.url });
      await page.loaded();
      client = await connectClient(session, session.admin_token);
      hands = new Hands(client);
      windows = await DisplayWindows.open(service);
      height = await page.run('innerHeight');
    });

    /** Asserts that one window fills the screen and has the keyboard focus, and that its page answers. */
    async function isWhole(): Promise<void> {
      let seen: DisplayWindow[] = [];
      await until(
        'the window fills the screen',
        async () => {
          seen = await windows.list();
          const [first] = seen;
          return seen.length === 1 && first?.place === FULL && first.active && !first.hidden;
        },
        5_000,
      ).catch(() => {
        throw new Error(`The windows are ${JSON.stringify(seen)}.`);
      });
      const keys = page.count('KeyZ');
      await until('a key reaches the page', () => {
        // A key that arrives before the page has the focus again is lost.
        hands.press('KeyZ');
        return page.count('KeyZ') > keys;
      });
      await until('the page has its size', async () => (await page.run('innerHeight')) === height);
    }
    const front = async () => (await windows.list()).find(({ active }) => active)?.id ?? 0;

    // Proves: the window fills the screen after every act
    test('returns after it is minimized', async () => {
      await windows.ask(await front(), 'WM_CHANGE_STATE', [3]);
      await isWhole();
    });

    // Proves: the window fills the screen after every act
    test('fills the screen again after it is resized', async () => {
      const id = await front();
      const states = ['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'];
      await windows.ask(id, '_NET_WM_STATE', [0, ...states, 2]);
      await windows.ask(id, '_NET_WM_STATE', [0, '_NET_WM_STATE_FULLSCREEN', 0, 2]);
      await isWhole();
    });

    // Proves: the window fills the screen after every act
    test(
      'makes way for a popup with a close button, and then gets the focus back',
      { tag: kiosk ? [] : '@main' },
      async () => {
        hands.click(60, kiosk ? 30 : SIZE.height - Number(height) + 30);
        await until('the popup fills the screen below its title', async () =>
          (await windows.list()).some(
            ({ role, active, place }) => role === 'pop-up' && active && place.startsWith('800x'),
          ),
        );
        hands.click(SIZE.width - 10, 10);
        await isWhole();
      },
    );

    if (kiosk) return;

    test('has no window buttons, and ignores double clicks and drags on its tab strip', async () => {
      hands.click(...STRIP);
      hands.click(...STRIP);
      await isWhole();
      hands.drag([...STRIP], [500, 300]);
      await isWhole();
      for (const x of [730, 757, 785]) hands.click(x, 15);
      await isWhole();
      assert.equal(page.loads, 1);
    });

    test('lets the task manager open in front, where it can be closed', async () => {
      hands.press('Shift+Escape');
      const [manager] = await until('it is there', async () => {
        const others = (await windows.list()).filter(({ role }) => role === '');
        return others.length > 0 && others;
      });
      const [, width = 0, x = 0, y = 0] =
        /^(\d+)x\d+\+(\d+)\+(\d+)$/.exec(manager?.place ?? '')?.map(Number) ?? [];
      assert.ok(width < SIZE.width, manager?.place);
      hands.click(x + width - 10, y - 10);
      await isWhole();
    });

    test('opens no dialog for shortcuts of disabled features', async () => {
      for (const key of [...DEAD_KEYS, 'Control+KeyU']) {
        hands.press(key);
        await isWhole();
        await until(`the page has the focus after ${key}`, () => page.run('document.hasFocus()'));
      }
    });

    test('opens no dialog for them while the address bar has the focus either', async () => {
      for (const key of [...DEAD_KEYS, 'Control+KeyU']) {
        hands.press('Control+KeyL');
        await until('the address bar has the keyboard', () => page.run('!document.hasFocus()'));
        hands.press(key);
        const clicks = page.count('click');
        hands.click(600, 500);
        await page.event('click', clicks + 1);
        await isWhole();
      }
    });

    // Proves: the window fills the screen after every act
    test('keeps a tab that is dragged out of the tab strip', async ({ pages }) => {
      const other = pages.page('acts');
      const { id } = await client.tabs.create({ url: other.url });
      await other.loaded();
      hands.drag([TAB, 15], [400, 400]);
      await until('one window has both tabs', async () => {
        const tabs = await client.tabs.query({});
        return tabs.length === 2 && new Set(tabs.map(({ windowId }) => windowId)).size === 1;
      });
      await until('nothing is dragged', () =>
        client.tabs.remove(id ?? 0).then(
          () => true,
          () => false,
        ),
      );
      await isWhole();
    });
  });
}

test('atom names of one display are not used for another display', async ({ service, pages }) => {
  const displays: DisplayWindows[] = [];
  for (let count = 0; count < 2; count++) {
    const page = pages.page('marker');
    await service.create({ ...SIZE, start_url: page.url });
    await page.loaded();
    displays.push(await DisplayWindows.open(service));
  }
  const [first, second] = displays;
  assert.ok(first && second);
  const names = ['FIRST_OF_A_TEST', 'SECOND_OF_A_TEST'] as const;
  for (const name of names) await first.atom(name);
  for (const name of names.toReversed()) assert.equal(await second.nameOf(await second.atom(name)), name);
});
