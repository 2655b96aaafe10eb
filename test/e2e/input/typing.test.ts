import type { HostedPage } from '../support/hosted-page.js';
import { Relay } from '../support/relay.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { UserKeyboard } from '../support/user-keyboard.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
let viewer: Viewer;
let remote: HostedPage;
let keyboard: UserKeyboard;
let relay: Relay;
test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('typing');
  relay = await Relay.start(service.url);
  const size = { width: 800, height: 600 };
  const session = await service.create({ start_url: remote.url, ...size });
  viewer = await openViewer(browser, { embed_url: relay.through(session.embed_url) }, { viewport: size });
  keyboard = new UserKeyboard(await viewer.cdp());
  await remote.fills(size);
  await viewer.page.mouse.click(200, 100);
  await remote.until('the field has the focus', (state) => state['focused']);
});

test.beforeEach(async () => {
  await remote.run('one.value = ""; one.focus(); report({ text: "" })');
  remote.events.length = 0;
});

const holds = (text: string) => remote.until(`the field holds ${text}`, (state) => state['text'] === text);

test.describe('typing', () => {
  test(
    'enters any text that a keyboard, an input method or a picker produces',
    { tag: '@main' },
    async () => {
      const { page } = viewer;
      await page.keyboard.type('Hello, ');
      await keyboard.press({ code: 'Digit2', key: 'é' });
      await page.keyboard.type(' ');
      await keyboard.press({ code: 'Minus', key: 'ß' });
      await page.keyboard.type(' ');
      await keyboard.press({ code: 'KeyE', key: '€', altGraph: true });
      await page.keyboard.type(' ');
      await keyboard.compose('kan', 'かん', '漢字');
      await keyboard.commit('漢字');
      await page.keyboard.type(' ');
      await keyboard.commit('🙂');
      await holds('Hello, é ß € 漢字 🙂');
    },
  );

  test("tells pages the user's Caps Lock, and the letters stay what they are", async () => {
    await remote.run(
      `addEventListener('keydown', (event) => event.key.length === 1 &&
        report({ event: event.key + ' ' + event.getModifierState('CapsLock') }))`,
    );
    const press = (init: Record<string, string | boolean>) =>
      viewer.page.evaluate((keys) => {
        const root = document.querySelector('cloud-browser')?.shadowRoot;
        for (const type of ['keydown', 'keyup'])
          root
            ?.querySelector('.surface textarea')
            ?.dispatchEvent(new KeyboardEvent(type, { ...keys, bubbles: true, cancelable: true }));
      }, init);
    const lock = { code: 'KeyA', modifierCapsLock: true };
    await press({ ...lock, key: 'A' });
    await press({ ...lock, key: 'a', shiftKey: true });
    await press({ code: 'KeyB', key: 'b' });
    await holds('Aab');
    for (const told of ['A true', 'a true', 'b false']) await remote.event(told);
  });

  test('selects with Shift and arrows, and replaces the selection', async () => {
    const { page } = viewer;
    await page.keyboard.type('one two');
    await page.keyboard.down('Shift');
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await remote.until('the last word is selected', (state) => state['selected'] === 'two');
    await page.keyboard.type('three');
    await holds('one three');
  });

  test('copies and pastes in the remote browser', { tag: '@main' }, async () => {
    const { page } = viewer;
    await page.keyboard.type('twice ');
    await page.keyboard.press('Control+a');
    await remote.until('everything is selected', (state) => state['selected'] === 'twice ');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+v');
    await holds('twice twice ');
  });

  test('keeps the order of fast keys and text', async () => {
    const words = 'aé bß cé dß eé fß gé hß ';
    for (const character of words) {
      if (/[éß]/.test(character)) await keyboard.press({ code: 'BracketLeft', key: character });
      else await viewer.page.keyboard.press(character === ' ' ? 'Space' : character);
    }
    await holds(words);
  });
});

test.describe('held keys', () => {
  /** Holds Shift and a letter, takes the keyboard away, and waits until the remote page sees both lifted. */
  async function areLiftedBy(takeAway: () => Promise<void>): Promise<void> {
    await viewer.page.keyboard.down('Shift');
    await viewer.page.keyboard.down('Q');
    await remote.event('keydown Shift');
    await remote.event('keydown Q');
    await takeAway();
    await remote.event('keyup Shift');
    // Without Shift the letter is lower-case.
    await until('the letter is lifted', () => remote.count('keyup Q') + remote.count('keyup q'));
    await viewer.page.keyboard.up('Q');
    await viewer.page.keyboard.up('Shift');
    await remote.run('one.value = ""; report({ text: "" })');
  }

  test('are released before they repeat while the connection stalls', async () => {
    const { keyboard: keys } = viewer.page;
    await keys.type('Hel');
    // The key itself and the first confirmation that it is held. A slow machine might see the key only after
    // it has rightly been repeated.
    const stalled = relay.stallAfter(2);
    await keys.down('l');
    await stalled;
    await remote.event('keydown l', 2);
    await remote.event('keyup l', 2);
    await keys.up('l');
    relay.flow();
    await keys.type('o');
    await holds('Hello');
  });

  test('repeat while they are held', async () => {
    await viewer.page.keyboard.down('x');
    await remote.event('repeat x', 20);
    await viewer.page.keyboard.up('x');
    await remote.event('keyup x');
  });

  test('are released when the viewer is hidden', async () => {
    await areLiftedBy(async () => {
      await viewer.page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        Reflect.deleteProperty(document, 'hidden');
        document.dispatchEvent(new Event('visibilitychange'));
      });
    });
  });

  test(
    'are released when the connection is lost, and typing works after the reconnect',
    { tag: '@main' },
    async () => {
      await areLiftedBy(async () => {
        relay.cut();
        await remote.event('keyup Shift');
      });
      await viewer.playing();
      await viewer.page.keyboard.type('back');
      await holds('back');
    },
  );
});
