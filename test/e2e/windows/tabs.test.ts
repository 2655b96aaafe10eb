import assert from 'node:assert/strict';
import type { CloudBrowserClient, TabEvent } from '../../../src/core/index.js';
import {
  TAB_METHODS,
  type SessionEvents,
  type Tab,
  type TabEvents,
  type TabMethod,
} from '../../../src/protocol/index.js';
import { hold } from '../../support/limits.js';
import type { PageServer } from '../support/page-server.js';
import { CHROMIUM_MAIN, descendants, onlyProcess } from '../support/processes.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

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

/** Clicks on the front page. */
function click(x: number, y: number): void {
  const button = { type: 'button', button: 0, x, y, modifiers: 0 } as const;
  client.sendInput({ ...button, pressed: true });
  client.sendInput({ ...button, pressed: false });
}

/** Calls a method. Resolves to its result, or to the error if the call is refused. */
type Way = (method: TabMethod, ...args: unknown[]) => Promise<{ result?: unknown; error?: object }>;

const ways: Record<string, Way> = {
  'the SDK': async (method, ...args) => {
    // The types forbid these arguments, but a program in JavaScript may pass them.
    const { tabs } = client;
    const perform = tabs[method].bind(tabs) as (...args: unknown[]) => Promise<unknown>;
    try {
      return { result: (await perform(...args)) ?? null };
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return { error: { code, message } };
    }
  },
  HTTP: async (method, ...args) => {
    const response = await fetch(`${session.embed_url.replace(/\?.*/, '')}/tabs.${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.admin_token}` },
      body: JSON.stringify(args),
    });
    const body: unknown = await response.json();
    return response.status === 200 ? { result: body } : { error: body as object };
  },
};

for (const [name, way] of Object.entries(ways)) {
  const ask = async (method: TabMethod, ...args: unknown[]) => {
    const { result, error } = await way(method, ...args);
    assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const tabOf = async (id: number) => (await ask('get', id)) as Tab;
  /** Opens a page in its own tab. Resolves to the id of the tab when the page is loaded. */
  const open = async (properties: object = {}) => {
    const page = pages.page('marker');
    const { id = 0 } = (await ask('create', { url: page.url, ...properties })) as Tab;
    await until('the tab is loaded', async () => (await tabOf(id)).status === 'complete');
    return { id, page };
  };

  test.describe(`tabs over ${name}`, () => {
    // Proves: POST {session}/tabs.<method>; client tabs.create; client tabs.get; client tabs.query
    // Proves: client tabs.remove
    test('create opens a page, get and query return it, and remove closes it', { tag: '@main' }, async () => {
      const { id, page } = await open();
      await page.loaded();
      const tab = await tabOf(id);
      assert.deepEqual([tab.url, tab.title, tab.active, tab.index > 0], [page.url, 'Marker', true, true]);
      const found = (await ask('query', { active: true })) as Tab[];
      assert.deepEqual(
        found.map((each) => each.id),
        [id],
      );
      assert.equal(await ask('remove', id), null);
      assert.ok(!((await ask('query', {})) as Tab[]).some((each) => each.id === id));
    });

    // Proves: client tabs.query
    test('query with icons returns images of the browser, not the addresses that pages have chosen', async () => {
      const { id, page } = await open();
      await page.loaded();
      await page.run(`{
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 64;
        canvas.getContext('2d').fillRect(8, 8, 48, 48);
        const link = document.createElement('link');
        link.rel = 'icon';
        link.href = canvas.toDataURL();
        document.head.append(link);
      }`);
      const shown = async (query: object) =>
        ((await ask('query', query)) as Tab[]).find((each) => each.id === id);
      await until('the tab has an icon', async () => (await shown({ icons: true }))?.icon);
      const tab = await shown({ icons: true });
      assert.match(tab?.icon ?? '', /^data:image\/png;base64,/);
      assert.ok((tab?.icon?.length ?? 0) < 16_384);
      assert.notEqual(tab?.icon, tab?.favIconUrl);
      assert.equal((await shown({}))?.icon, undefined);
      await ask('remove', id);
    });

    // Proves: POST {session}/tabs.<method>; client tabs.update
    test('update switches the visible tab and opens an address', async () => {
      const [first, second] = [await open(), await open()];
      assert.equal((await tabOf(first.id)).active, false);
      assert.equal(((await ask('update', first.id, { active: true })) as Tab).active, true);
      assert.equal((await tabOf(second.id)).active, false);
      const page = pages.page('text');
      await ask('update', null, { url: page.url });
      await page.loaded();
      assert.equal((await tabOf(first.id)).url, page.url);
      await ask('remove', [first.id, second.id]);
    });

    // Proves: client tabs.reload; client tabs.goBack; client tabs.goForward
    test('goBack, goForward and reload use the history', async () => {
      const { id, page } = await open();
      await page.loaded();
      // Chromium goes back only to pages that had a user's input.
      await page.run('reportEvents(window, ["click"])');
      click(640, 400);
      await page.event('click');
      await page.run('history.pushState(0, "", "#next")');
      await until('the address changes', async () => (await tabOf(id)).url?.endsWith('#next'));
      assert.equal(await ask('goBack', id), null);
      await until('it went back', async () => (await tabOf(id)).url === page.url);
      assert.equal(await ask('goForward', id), null);
      await until('it went forward', async () => (await tabOf(id)).url?.endsWith('#next'));
      assert.equal(await ask('reload', id, { bypassCache: true }), null);
      await page.loaded(2);
      await ask('remove', id);
    });

    // Proves: client tabs.duplicate; client tabs.move; client tabs.highlight; client tabs.discard
    test('duplicate, move, highlight and discard', async () => {
      const { id, page } = await open();
      // A hidden tab is not painted, so its page would report nothing.
      await page.loaded();
      const copy = (await ask('duplicate', id)) as Tab;
      await page.loaded(2);
      assert.equal(((await ask('move', copy.id, { index: 0 })) as Tab).index, 0);
      const { tabs = [] } = (await ask('highlight', { tabs: [0, (await tabOf(id)).index] })) as {
        tabs?: Tab[];
      };
      const highlighted = tabs.filter((tab) => tab.highlighted).map((tab) => tab.id);
      assert.deepEqual(highlighted.sort(), [copy.id, id].sort());
      await ask('update', copy.id, { active: true });
      const discarded = (await ask('discard', id)) as Tab;
      assert.equal(discarded.discarded, true);
      await ask('remove', [copy.id, discarded.id]);
    });

    // Proves: client tabs.group; client tabs.ungroup
    test('group and ungroup', async () => {
      const { id } = await open();
      const group = await ask('group', { tabIds: id });
      assert.equal((await tabOf(id)).groupId, group);
      assert.equal(await ask('ungroup', [id]), null);
      assert.equal((await tabOf(id)).groupId, -1);
      await ask('remove', id);
    });

    // Proves: client tabs.getZoom; client tabs.setZoom; client tabs.getZoomSettings
    // Proves: client tabs.setZoomSettings
    test('getZoom and setZoom read and set the zoom', async () => {
      const { id, page } = await open();
      await page.loaded();
      assert.equal(await ask('setZoomSettings', id, { scope: 'per-tab' }), null);
      assert.deepEqual(await ask('getZoomSettings', id), {
        mode: 'automatic',
        scope: 'per-tab',
        defaultZoomFactor: 1,
      });
      assert.equal(await ask('setZoom', id, 1.5), null);
      assert.equal(await ask('getZoom', id), 1.5);
      await until('the page is zoomed', async () => (await page.run('devicePixelRatio')) === 1.5);
      await ask('remove', id);
    });

    // Proves: client tabs.detectLanguage
    test('detectLanguage reads the page', async () => {
      const { id, page } = await open();
      await page.loaded();
      await page.run(
        'document.body.append("Les sanglots longs des violons de l’automne blessent mon cœur d’une langueur monotone.")',
      );
      assert.equal(typeof (await ask('detectLanguage', id)), 'string');
      await ask('remove', id);
    });

    test("errors have Chrome's own words", async () => {
      const missing = { code: 'err_chrome', message: 'No tab with id: 99.' };
      for (const [method, ...args] of ON_A_MISSING_TAB)
        assert.deepEqual(await way(method, ...args), { error: missing }, method);
      for (const method of TAB_METHODS) {
        const { error } = await way(method, 'nonsense', 'nonsense', 'nonsense');
        const { code, message } = error as { code: string; message: string };
        assert.equal(code, 'err_chrome');
        const words = new RegExp(`^Error in invocation of tabs\\.${method}\\(.*No matching signature\\.$`);
        assert.match(message, words);
      }
    });

    // Proves: POST {session}/tabs.<method>; client tabs.update
    test('completes an address without a scheme as Chromium does', async () => {
      const page = pages.page('marker');
      const { id } = (await ask('create', { url: page.url.replace('http://', '') })) as Tab;
      await page.loaded();
      await ask('update', id, { url: ` ${page.url.replace('http://', '')}#2` });
      await until('the address is complete', async () => (await tabOf(id ?? 0)).url === `${page.url}#2`);
      await ask('remove', id);
    });

    // Proves: POST {session}/tabs.<method>
    test('goes to http, https and about: addresses only', async () => {
      for (const url of ['chrome://settings', 'file:///etc/passwd', 'javascript:0', 'data:text/html,x', '/'])
        for (const [method, ...args] of [
          ['create', { url }],
          ['update', null, { url }],
          ['update', { url }],
        ] as const) {
          const { error } = await way(method, ...args);
          assert.equal((error as { code: string } | undefined)?.code, 'err_address_not_allowed', url);
        }
      const tab = (await ask('create', { url: 'about:blank' })) as Tab;
      await ask('remove', tab.id);
    });

    test('calls are quick', { tag: '@timing' }, async () => {
      const times: number[] = [];
      for (let count = 0; count < 100; count++) {
        const start = performance.now();
        await ask('query', {});
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      hold('a call for tabs, median', times[50] ?? Infinity);
    });
  });
}

const ON_A_MISSING_TAB: [TabMethod, ...unknown[]][] = [
  ['detectLanguage', 99],
  ['duplicate', 99],
  ['get', 99],
  ['getZoom', 99],
  ['getZoomSettings', 99],
  ['goBack', 99],
  ['goForward', 99],
  ['group', { tabIds: 99 }],
  ['move', 99, { index: 0 }],
  ['reload', 99],
  ['remove', 99],
  ['setZoom', 99, 1],
  ['setZoomSettings', 99, {}],
  ['ungroup', 99],
  ['update', 99, {}],
];

/** Records the arguments of every event of this name. */
async function record<Name extends keyof TabEvents>(
  event: TabEvent<Name>,
): Promise<SessionEvents[`tabs.${Name}`][]> {
  const seen: SessionEvents[`tabs.${Name}`][] = [];
  await event.addListener((...args) => seen.push(args));
  return seen;
}

test.describe('events of tabs', () => {
  // Proves: POST {session}/tabs.<method>; client tabs.onActivated; client tabs.onCreated
  // Proves: client tabs.onHighlighted; client tabs.onMoved; client tabs.onRemoved; client tabs.onReplaced
  // Proves: client tabs.onUpdated; client tabs.onZoomChange
  test('have Chrome’s arguments', { tag: '@main' }, async () => {
    const { tabs } = client;
    const seen = {
      activated: await record(tabs.onActivated),
      created: await record(tabs.onCreated),
      highlighted: await record(tabs.onHighlighted),
      moved: await record(tabs.onMoved),
      removed: await record(tabs.onRemoved),
      replaced: await record(tabs.onReplaced),
      updated: await record(tabs.onUpdated),
      zoomed: await record(tabs.onZoomChange),
    };
    const page = pages.page('marker');
    const { id = 0, windowId, index } = await tabs.create({ url: page.url });
    await page.loaded();
    await until('all of its loading is told', () =>
      seen.updated.find(([tab, { status }]) => tab === id && status === 'complete'),
    );
    assert.deepEqual(
      seen.created.map(([tab]) => tab.id),
      [id],
    );
    assert.deepEqual(seen.activated, [[{ tabId: id, windowId }]]);
    assert.deepEqual(seen.highlighted, [[{ tabIds: [id], windowId }]]);
    assert.ok(seen.updated.some(([tab, { title }, whole]) => tab === id && title && whole.id === id));

    await tabs.setZoom(id, 2);
    await until('the zoom is told', () =>
      seen.zoomed.find(([{ tabId, newZoomFactor }]) => tabId === id && newZoomFactor === 2),
    );
    await tabs.setZoom(id, 0);
    await tabs.move(id, { index: 0 });
    await until('the move is told', () => seen.moved.length);
    assert.deepEqual(seen.moved, [[id, { windowId, fromIndex: index, toIndex: 0 }]]);

    const [other] = await tabs.query({ index: 1 });
    await tabs.update(other?.id, { active: true });
    const discarded = await tabs.discard(id);
    await until('the new number is told', () => seen.replaced.length);
    assert.deepEqual(seen.replaced, [[discarded?.id, id]]);
    await tabs.remove(discarded?.id ?? 0);
    await until('the end is told', () => seen.removed.length);
    assert.deepEqual(seen.removed, [[discarded?.id, { windowId, isWindowClosing: false }]]);
  });

  test('continue after the extension or the browser was killed', async ({ service }) => {
    const reconnected = await record(client.tabs.onReconnected);
    const created = await record(client.tabs.onCreated);
    for (const [times, victim] of [
      [1, /--extension-process/],
      [2, CHROMIUM_MAIN],
    ] as const) {
      const { pid } = onlyProcess(service.pid, victim);
      process.kill(pid, 'SIGKILL');
      await until('it is told', () => reconnected.length === times);
      assert.ok(!descendants(service.pid).some((process) => process.pid === pid));
      created.length = 0;
      const { id } = await client.tabs.create({ url: 'about:blank' });
      await until('the event comes', () => created.some(([tab]) => tab.id === id));
    }
  });
});

test.describe('a viewer without the role chrome_apis', () => {
  // Refusals must be right every time, so these tests are not retried.
  test.describe.configure({ retries: 0 });

  // Proves: role control; role chrome_apis; role resize
  test('can call methods and receive events only with the admin token', async ({ service }) => {
    const guarded = await service.create({ start_url: 'about:blank', default_roles: ['control'] });
    const viewer = await connectClient(guarded);
    await assert.rejects(viewer.tabs.query({}), { code: 'err_forbidden' });
    await assert.rejects(record(viewer.tabs.onUpdated), { code: 'err_forbidden' });
    viewer.remote.adminToken = 'a wrong one';
    await assert.rejects(viewer.tabs.query({}), { code: 'err_forbidden' });
    viewer.remote.adminToken = guarded.admin_token;
    const created = await record(viewer.tabs.onCreated);
    assert.equal((await viewer.tabs.query({})).length, 1);
    await viewer.tabs.create({});
    await until('the event comes', () => created.length);
    await service.end(guarded);
  });
});
