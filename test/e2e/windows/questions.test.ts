import assert from 'node:assert/strict';
import { AnsweringServer } from '../support/answering-server.js';
import { DisplayWindows, type Place } from '../support/display-windows.js';
import { Hands } from '../support/hands.js';
import type { HostedPage } from '../support/hosted-page.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { CloudBrowserClient } from '../../../src/core/index.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** The background of the page. */
const PAGE_COLOUR = [68, 136, 204];
const ASKED = [
  ...['location', 'notifications', 'camera', 'screen'],
  ...['clipboard', 'instruments', 'displays', 'idleness'],
];

for (const [where, parameters] of [
  ['a session with tabs', { kiosk: false }],
  // With a profile, this browser could save passwords.
  ['a kiosk', { kiosk: true, profile: true }],
] as const) {
  test.describe(`a page of ${where}`, () => {
    const { kiosk } = parameters;
    let page: HostedPage;
    let client: CloudBrowserClient;
    let hands: Hands;
    let windows: DisplayWindows;
    /** Distance of the page from the top of the screen. */
    let top: number;

    test.beforeAll(async ({ service, pages }) => {
      page = pages.page('acts');
      const session = await service.create({ ...SIZE, ...parameters, start_url: page.url });
      await page.loaded();
      client = await connectClient(session, session.admin_token);
      hands = new Hands(client);
      windows = await DisplayWindows.open(service);
      top = SIZE.height - Number(await page.run('innerHeight'));
    });

    /** The colours at the rounded corners of a list, and of its shadow. */
    function coloursAround({ x, y, width, height }: Place): Promise<unknown[]> {
      const [right, bottom] = [x + width - 1, y + height - 1];
      const corners = [
        [x, y],
        [right, y],
        [x, bottom],
        [right, bottom],
      ] as const;
      const places = [...corners, [right, y + 20] as const];
      return Promise.all(places.map((place) => windows.colour(...place)));
    }

    /** Asserts that the page gets the next click, and that nothing covers the page in a kiosk. */
    async function goesOn(what: string): Promise<void> {
      const clicks = page.count('click');
      hands.click(700, 500);
      await page.event('click', clicks + 1).catch((error: unknown) => {
        throw new Error(`After ${what}: ${String(error)}`);
      });
      if (kiosk) assert.deepEqual(await windows.popups(), [], what);
      const [first, ...others] = await windows.list();
      assert.deepEqual([first?.place, first?.active, others], ['800x600+0+0', true, []], what);
      assert.equal(await page.run('innerHeight'), SIZE.height - top, what);
    }

    test('cannot open a print dialog', async () => {
      await page.run('onbeforeprint = onafterprint = ({ type }) => report({ event: type })');
      hands.click(350, top + 75);
      await goesOn('print()');
      hands.press('Control+KeyP');
      await page.event('Control+KeyP');
      await goesOn('Ctrl+P');
    });

    test('cannot start another program', { tag: kiosk ? '@main' : [] }, async () => {
      for (const y of [65, 105]) {
        hands.click(60, top + y);
        await goesOn(`a link at ${y}`);
      }
    });

    // Proves: no question of a page stands in the way
    test('can show suggestions for a field, without a black frame around them', async () => {
      hands.click(350, top + 35);
      // The list may still change its size after it was shown. A second key can close it again.
      await until('the page is seen at the corners of the list', async () => {
        const [list] = await windows.popups();
        if (!list) hands.press('ArrowDown');
        const colours = list ? await coloursAround(list) : [];
        return colours.length > 0 && colours.every((colour) => String(colour) === String(PAGE_COLOUR));
      });
      hands.click(700, 500);
      await until('they are gone', async () => (await windows.popups()).length === 0);
    });

    test('cannot make the browser ask about 40 downloads', async () => {
      // A list of the browser would take a click.
      for (let round = 0; round < 10; round++) {
        const clicks = page.count('click');
        hands.click(350, top + 195);
        await page.event('click', clicks + 1);
        await goesOn('40 downloads');
      }
    });

    test('cannot make the browser ask about a middle click on a link', async () => {
      hands.click(310, top + 150, 1);
      await page.event('auxclick');
      if (kiosk) {
        await goesOn('a middle click');
        assert.equal((await client.tabs.query({})).length, 1);
        return;
      }
      const tabs = await until('the link is in a tab', async () => {
        const all = await client.tabs.query({});
        return all.length === 2 && all;
      });
      assert.deepEqual(
        tabs.map(({ active }) => active),
        [true, false],
      );
      await goesOn('a middle click');
      await client.tabs.remove(tabs[1]?.id ?? 0);
    });

    // Proves: no question of a page stands in the way
    test('is refused permissions in a kiosk, and with tabs the question does not cover the page', async () => {
      const clicks = page.count('click');
      hands.click(350, top + 115);
      await page.event('click', clicks + 1);
      for (const name of kiosk ? ASKED : ASKED.slice(0, 4)) await page.event(`${name} refused`);
      await goesOn('questions for permissions');
      if (kiosk) return;
      const { loads } = page;
      await client.tabs.update(null, { url: page.url });
      await page.loaded(loads + 1);
      await until('no question is left', async () => (await windows.popups()).length === 0);
    });

    // Proves: no question of a page stands in the way
    test('can ask for a sign-in, and the browser does not offer to save the password', async () => {
      const server = await AnsweringServer.start(({ headers }, response) => {
        if (headers.authorization === undefined)
          response.writeHead(401, { 'www-authenticate': 'Basic realm="here"' }).end();
        else response.writeHead(302, { location: page.url }).end();
      });
      const { loads } = page;
      await client.tabs.update(null, { url: server.url });
      await until('it asks', () => server.requests.length > 0);
      // Keys that arrive before the dialog are lost.
      await until('it signed in', async () => {
        for (const key of ['KeyM', 'KeyE', 'Tab', 'KeyS', 'Enter']) hands.press(key);
        return until('the page is back', () => page.loads > loads, 2_000).catch(() => false);
      });
      await goesOn('a sign-in');
    });

    test('cannot make the browser offer to save the password of a form', async () => {
      const { loads } = page;
      await page.run(`document.body.insertAdjacentHTML('beforeend',
        '<form action="acts.html"><input type="hidden" name="id" value="' + new URLSearchParams(location.search).get('id')
        + '"><input name="user" autocomplete="username"><input name="word" type="password" id="word"><button>Go</button></form>');
        document.querySelector('[name=user]').focus()`);
      for (const key of ['KeyM', 'KeyE', 'Tab', 'KeyS', 'KeyS', 'KeyS', 'KeyS', 'Enter']) hands.press(key);
      await page.loaded(loads + 1);
      await goesOn('a form with a password');
      assert.deepEqual(await windows.popups(), []);
    });
  });
}
