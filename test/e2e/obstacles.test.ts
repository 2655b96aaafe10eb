import assert from 'node:assert/strict';
import type { CloudBrowserClient } from '../../src/core/index.js';
import type { HostedPage } from './support/hosted-page.js';
import type { PageServer } from './support/page-server.js';
import { connectClient } from './support/sdk-client.js';
import type { Session } from './support/service.js';
import { cleanUpAtEnd, test } from './support/test.js';

cleanUpAtEnd();
let pages: PageServer;
let session: Session;
let client: CloudBrowserClient;
test.beforeAll(async ({ pages: sharedPages, service }) => {
  pages = sharedPages;
  const start = pages.page('marker');
  session = await service.create({ start_url: start.url, kiosk: false });
  await start.loaded();
  client = await connectClient(session);
});

/** Clicks on the page in front. */
function click(x = 640, y = 400): void {
  const button = { type: 'button', button: 0, x, y, modifiers: 0 } as const;
  client.sendInput({ ...button, pressed: true });
  client.sendInput({ ...button, pressed: false });
}

/** Opens a page in a tab of its own, and does something on it: only then may a page ask whether it is to be left. */
async function open(): Promise<{ id: number; page: HostedPage }> {
  const page = pages.page('marker');
  const { id = 0 } = await client.tabs.create({ url: page.url });
  await page.loaded();
  await page.run('reportEvents(window, ["click"])');
  click();
  await page.event('click');
  return { id, page };
}

const later = (code: string) => `void setTimeout(() => { ${code} })`;

for (const [what, code, expression] of [
  ['loops for ever', 'err_page_unresponsive', later('for (;;);')],
  ['shows an alert', 'err_dialog_open', later('alert("Hello")')],
  ['shows 100 alerts', 'err_dialog_open', later('for (let i = 0; i < 100; i++) alert(i)')],
  [
    'asks whether to leave it',
    'err_dialog_open',
    'void addEventListener("beforeunload", (event) => event.preventDefault())',
  ],
  [
    'never says whether it may be left',
    'err_page_unresponsive',
    'void addEventListener("beforeunload", () => { for (;;); })',
  ],
] as const) {
  test(`a page that ${what} is left only by force, and the call says so`, async () => {
    const { id, page } = await open();
    await page.run(expression);
    const next = pages.page('marker');
    await assert.rejects(client.tabs.update(id, { url: next.url }), { code });
    assert.equal(next.loads, 0);
    await client.tabs.update(id, { url: next.url, force: true });
    await next.loaded();
    assert.equal((await client.tabs.get(id)).url, next.url);
    assert.deepEqual(await client.dialogs.list(), []);
    await client.tabs.remove(id);
  });
}
