import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { Hands } from '../support/hands.js';
import type { HostedPage } from '../support/hosted-page.js';
import type { PageServer } from '../support/page-server.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };

for (const kiosk of [false, true]) {
  test.describe(kiosk ? 'in a kiosk' : 'with tabs', () => {
    let pages: PageServer;
    let client: CloudBrowserClient;
    let hands: Hands;

    test.beforeAll(async ({ service, pages: sharedPages }) => {
      pages = sharedPages;
      const start = pages.page('marker');
      const session = await service.create({ ...SIZE, kiosk, start_url: start.url });
      await start.loaded();
      client = await connectClient(session, session.admin_token);
      hands = new Hands(client);
    });

    /** Shows a page in place of the one before, by force; resolves when it takes clicks. */
    async function show(): Promise<HostedPage> {
      const page = pages.page('marker');
      await client.tabs.update(null, { url: page.url, force: true });
      await page.loaded();
      await page.run('reportEvents(window, ["click"])');
      await until('the page takes clicks', () => {
        hands.click(400, 400);
        return page.count('click');
      });
      return page;
    }

    /** Presses a key that an American keyboard lacks: it goes to the page over CDP. */
    function pressForeignKey(): void {
      const key = { type: 'key', code: 'Digit2', key: 'é', repeat: false, modifiers: 0 } as const;
      for (const pressed of [true, false]) client.sendInput({ ...key, pressed });
    }

    for (const [what, code, expression] of [
      [
        'loops forever',
        'err_page_unresponsive',
        'void setTimeout(() => reported().then(() => { for (;;); }))',
      ],
      [
        'shows one alert after another',
        'err_dialog_open',
        'void setTimeout(() => reported().then(() => { for (;;) alert(1); }))',
      ],
      [
        'asks before it is left',
        'err_dialog_open',
        'void addEventListener("beforeunload", (event) => event.preventDefault())',
      ],
    ] as const) {
      // Proves: a page in the way, in a kiosk too
      test(`a page that ${what} can be left by force, and a call without force names the obstacle`, async () => {
        const page = await show();
        await page.run(expression);
        const next = pages.page('marker');
        await assert.rejects(client.tabs.update(null, { url: next.url }), { code });
        await show();
        assert.equal(next.loads, 0);
      });
    }

    test('a page whose key listener loops forever can be left by force', async () => {
      const page = await show();
      await page.run("onkeydown = ({ key }) => { report({ event: key }); while (key === 'é'); }");
      pressForeignKey();
      await show();
    });

    // Proves: a page in the way, in a kiosk too
    test('alerts that a key listener opens one after the other are answered by keys, and input continues', async () => {
      const page = await show();
      await page.run(`onkeydown = ({ key }) => {
        if (key !== 'é') return;
        for (let number = 0; number < 3; number++) alert(number);
        report({ event: 'answered' });
      }`);
      pressForeignKey();
      await until('all are answered', async () => {
        if ((await client.dialogs.list()).length > 0) hands.press('Enter');
        return page.count('answered');
      });
      const clicks = page.count('click');
      hands.click(400, 400);
      await page.event('click', clicks + 1);
    });

    if (kiosk) return;

    test('one click on the tab strip switches tabs while an alert appears', async () => {
      const page = await show();
      const other = pages.page('marker');
      const { id = 0 } = await client.tabs.create({ url: other.url, active: false });
      await other.loaded();
      await other.run(
        'reportEvents(document, ["visibilitychange"], () => (document.hidden ? "covered" : "shown"))',
      );
      await client.dialogs.onOpened.addListener(() => hands.click(400, 20));
      await page.run('void setTimeout(() => reported().then(() => alert("Hello")))');
      await other.event('shown');
      assert.equal((await client.dialogs.list()).length, 1);
      await client.tabs.remove(id);
    });
  });
}
