import assert from 'node:assert/strict';
import { Embedder } from '../support/embedder.js';
import { CHROMIUM_MAIN, onlyProcess } from '../support/processes.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let session: Session;
let embedder: Embedder;
let userId: string;
test.beforeAll(async ({ service, pages }) => {
  session = await service.create({
    start_url: pages.page('typing').url,
    width: 640,
    height: 480,
    max_area: 1280 * 720,
  });
});
test.beforeEach(async ({ browser }) => {
  embedder = await Embedder.open(browser);
  ({ userId } = await embedder.start('one', session.embed_url));
});

/** Resolves when a listener has received the event that a tab finished loading this address. */
async function hears(url: string): Promise<void> {
  await until(`the client hears of ${url}`, async () =>
    (await embedder.told('one', 'onUpdated')).some((told) => {
      const [, change, tab] = told['args'] as [number, { status?: string }, Tab];
      return change.status === 'complete' && tab.url === url;
    }),
  );
}

interface Tab {
  id: number;
  url: string;
  active: boolean;
}

test.describe('calls of the public client', () => {
  test("reject with the session's message if the session does not know them", async () => {
    const { error } = await embedder.call('one', 'tabs.group', { tabIds: 'none' });
    assert.ok(error && error !== 'Timed out', error);
  });

  // Proves: client tabs.update
  test('list and update tabs, and receive tab events until they remove the listener', async ({ pages }) => {
    const listed = await embedder.call('one', 'tabs.query', {});
    assert.equal(listed.error, undefined);
    const [tab] = listed.result as Tab[];
    assert.ok(tab?.active);
    assert.equal((await embedder.listen('one', 'onUpdated')).error, undefined);
    const { url } = pages.page('marker');
    assert.equal((await embedder.call('one', 'tabs.update', tab.id, { url })).error, undefined);
    await hears(url);
    assert.equal((await embedder.unlisten('one', 'onUpdated')).error, undefined);
    const heard = await embedder.told('one', 'onUpdated');
    const next = pages.page('touch').url;
    await embedder.call('one', 'tabs.update', tab.id, { url: next });
    await until('the tab is there', async () => {
      const { result } = await embedder.call('one', 'tabs.query', { status: 'complete' });
      return (result as Tab[]).some((each) => each.url === next);
    });
    assert.equal((await embedder.told('one', 'onUpdated')).length, heard.length);
  });

  // Proves: client tabs.onActivated; client tabs.onCreated; client tabs.onHighlighted; client tabs.onMoved
  // Proves: client tabs.onRemoved; client tabs.onReplaced; client tabs.onUpdated; client tabs.onZoomChange
  test('receive events again after the browser of the session was restarted', async ({ service, pages }) => {
    assert.equal((await embedder.listen('one', 'onUpdated')).error, undefined);
    const chromium = onlyProcess(service.pid, CHROMIUM_MAIN).pid;
    process.kill(chromium, 'SIGKILL');
    const { url } = pages.page('marker');
    await until('a tab takes the address', async () => {
      const { result } = await embedder.call('one', 'tabs.query', {});
      const [tab] = (result ?? []) as Tab[];
      return tab && !(await embedder.call('one', 'tabs.update', tab.id, { url })).error;
    });
    await hears(url);
  });

  // Proves: client resize
  test('resize the session, and update width and height', async () => {
    const resized = await embedder.call('one', 'resize', 600, 480);
    assert.equal(resized.error, undefined);
    await until('the client knows', async () => (await embedder.get('one', 'width')) === 600);
    assert.equal(await embedder.get('one', 'height'), 480);
    await embedder.call('one', 'resize', 640, 480);
    await until('it is small again', async () => (await embedder.get('one', 'width')) === 640);
  });

  // Proves: option adminToken; client setPermissions
  test('set permissions with the admin token, and are refused without it', async () => {
    const refused = await embedder.call('one', 'setPermissions', userId, { priority: 1 });
    assert.equal(refused.error, 'Admin token not set');
    await embedder.set('one', 'adminToken', 'not the token');
    const forged = await embedder.call('one', 'setPermissions', userId, { priority: 1 });
    assert.ok(forged.error);
    await embedder.set('one', 'adminToken', session.admin_token);
    const granted = await embedder.call('one', 'setPermissions', userId, { priority: 1 });
    assert.equal(granted.error, undefined);
    const given = await embedder.call('one', 'addRoles', [userId], ['cursor_data']);
    assert.equal(given.error, undefined);
    const taken = await embedder.call('one', 'removeRoles', [userId], ['cursor_data']);
    assert.equal(taken.error, undefined);
  });
});
