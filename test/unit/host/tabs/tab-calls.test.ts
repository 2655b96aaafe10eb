import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { HostMessage, RemoteEvent } from 'cloud-browser/protocol';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { TabCalls, type TabBackend } from '../../../../server/src/host/features/tabs/tab-calls.js';
import { TabDriver } from '../../../../server/src/host/browser/bridge/tab-driver.js';
import { PendingNavigations } from '../../../../server/src/host/browser/pages/watch/pending-navigations.js';
import { Dialogs } from '../../../../server/src/host/browser/pages/dialogs.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';

/** A browser that records its calls. */
class FakeBackend implements TabBackend {
  onEvent: TabBackend['onEvent'];
  onReopened: TabBackend['onReopened'];
  readonly asked: unknown[][] = [];
  opened = 0;
  outcome: object = {};
  failure: Error | undefined;
  /** Called while it carries out a call. */
  onAct: () => void = () => undefined;

  async open(): Promise<void> {
    this.opened += 1;
    if (this.failure) throw this.failure;
  }

  async call(
    name: 'callTabs' | 'iconsOf' | 'listPages' | 'rendererOf',
    method?: number | string | readonly string[],
    args: readonly unknown[] = [],
  ): Promise<unknown> {
    if (name === 'listPages') return [];
    this.asked.push([method, ...args]);
    if (this.failure) throw this.failure;
    this.onAct();
    return this.outcome;
  }
}

/** Pages without any obstacle. */
const pages = {
  ...{ dialogs: new Dialogs(), ofTarget: () => undefined, full: undefined },
  ...{ mainFrame: () => undefined, navigations: new PendingNavigations() },
  expectEnd: () => () => undefined,
};

let calls: Calls;
let tabs: TabCalls;
let backend: FakeBackend;
let isPrivate: boolean;
beforeEach(() => {
  calls = new Calls((token) => token === 'admin');
  isPrivate = false;
  tabs = new TabCalls(calls, () => isPrivate);
  backend = new FakeBackend();
});

/** Starts a browser. */
function start(
  browser = backend,
  browserPages: ConstructorParameters<typeof TabDriver>[1] = pages,
): TabDriver {
  const driver = new TabDriver(browser, browserPages, () => undefined);
  tabs.use(browser, driver);
  return driver;
}

const service = { viewer: undefined, admin: true };

function viewer(...roles: string[]): { viewer: Viewer; told: HostMessage[]; roles: Set<string> } {
  const told: HostMessage[] = [];
  const rights = { permissions: {}, roles: new Set(roles), tied: new Set() };
  const fake = { rights, send: (message: HostMessage) => told.push(message) };
  return { viewer: fake as unknown as Viewer, told, roles: rights.roles };
}

const eventsOf = (told: HostMessage[]) =>
  told.filter((message): message is RemoteEvent => message.type === 'event').map(({ name }) => name);

describe('tabs.<method>', () => {
  beforeEach(() => void start());

  it('passes all arguments to Chrome and returns its result', async () => {
    backend.outcome = { result: { id: 7 } };
    assert.deepEqual(await calls.perform('tabs.move', [[1, 2], { index: 0 }], service), { id: 7 });
    assert.deepEqual(backend.asked, [['move', [1, 2], { index: 0 }]]);
  });

  it("fails with Chrome's own message", async () => {
    backend.outcome = { error: 'No tab with id: 99.' };
    await assert.rejects(calls.perform('tabs.get', [99], service), {
      code: 'err_chrome',
      message: 'No tab with id: 99.',
    });
  });

  it('opens no tab above the page limit', async () => {
    tabs.browserIsGone();
    start(backend, { ...pages, full: 5 });
    for (const method of ['tabs.create', 'tabs.duplicate'] as const)
      await assert.rejects(calls.perform(method, method === 'tabs.create' ? [{}] : [1], service), {
        code: 'err_too_many_tabs',
        message: /at most 5 tabs/,
      });
    assert.deepEqual(backend.asked, []);
    await calls.perform('tabs.query', [{}], service);
  });

  it('needs the role chrome_apis or the admin token', async () => {
    const refused = { code: 'err_forbidden' };
    await assert.rejects(calls.perform('tabs.query', [{}], { ...viewer('control'), admin: false }), refused);
    assert.deepEqual(backend.asked, []);
    await calls.perform('tabs.query', [{}], { ...viewer('chrome_apis'), admin: false });
    await calls.perform('tabs.query', [{}], { ...viewer(), admin: true });
    assert.equal(backend.asked.length, 2);
  });

  it('is refused for a program while a user is in privacy mode, also if it began before', async () => {
    const program = { ...service, program: {} };
    const refused = { code: 'err_forbidden', message: /privacy mode/ };
    const late = calls.perform('tabs.query', [{}], program);
    isPrivate = true;
    await assert.rejects(late, refused);
    const before = backend.asked.length;
    await assert.rejects(calls.perform('tabs.query', [{}], program), refused);
    assert.equal(backend.asked.length, before);
    await calls.perform('tabs.query', [{}], service);
    isPrivate = false;
    await calls.perform('tabs.query', [{}], program);
  });

  it('is refused for a viewer who loses the role while the browser answers', async () => {
    backend.outcome = { result: [{ url: 'https://example.com/private' }] };
    const user = viewer('chrome_apis');
    const late = calls.perform('tabs.query', [{}], { viewer: user.viewer, admin: false });
    const dialogs = calls.perform('dialogs.list', [], { viewer: user.viewer, admin: false });
    user.roles.delete('chrome_apis');
    await Promise.all([late, dialogs].map((call) => assert.rejects(call, { code: 'err_forbidden' })));
  });

  it('succeeds without what the page shows if the caller loses the right while the browser acts', async () => {
    tabs.browserIsGone();
    const driver = start();
    const tab = { id: 7, index: 1, url: 'https://example.com/private', title: 'Private' };
    const user = viewer('chrome_apis');
    const caller = { viewer: user.viewer, admin: false };
    backend.outcome = { result: tab };
    assert.deepEqual(await calls.perform('tabs.create', [{}], caller), tab);
    backend.onAct = () => user.roles.delete('chrome_apis');
    assert.deepEqual(await calls.perform('tabs.create', [{}], caller), { id: 7, index: 1 });
    user.roles.add('chrome_apis');
    await assert.rejects(calls.perform('tabs.get', [7], caller), { code: 'err_forbidden' });
    user.roles.add('chrome_apis');
    driver.answerDialog = async () => user.roles.delete('chrome_apis');
    await calls.perform('dialogs.answer', [7, { accept: true }], caller);
    backend.onAct = () => (isPrivate = true);
    backend.outcome = {};
    assert.equal(await calls.perform('tabs.remove', [7], { ...service, program: {} }), undefined);
  });

  it('is rejected when the browser ends meanwhile', async () => {
    backend.failure = new Error('the browser is gone');
    await assert.rejects(calls.perform('tabs.query', [{}], service), { code: 'err_browser_unavailable' });
  });

  for (const [url, opened] of [
    ['https://example.com', 'https://example.com/'],
    ['HTTP://example.com/a', 'http://example.com/a'],
    ['about:blank', 'about:blank'],
    ['about:newtab', 'chrome://newtab/'],
    [' Chrome://NewTab ', 'chrome://newtab/'],
    ['chrome://new-tab-page/', 'chrome://newtab/'],
    ['chrome://settings', undefined],
    ['chrome://newtab/../settings', undefined],
    [' \tjavascript:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['chrome-extension://abc/x.html', undefined],
    ['view-source:https://example.com', undefined],
    ['example.com', 'https://example.com/'],
    ['/page.html', undefined],
    ['', undefined],
  ] as const) {
    it(`${opened === undefined ? 'refuses to open' : 'opens'} ${JSON.stringify(url)}`, async () => {
      for (const [method, ...args] of [
        ['create', { url, active: true }],
        ['update', null, { url }],
      ] as const) {
        const call = calls.perform(`tabs.${method}`, args, service);
        if (opened === undefined) await assert.rejects(call, { code: 'err_address_not_allowed' });
        else await call;
      }
      const wanted = [
        ['create', { url: opened, active: true }],
        ['update', null, { url: opened }],
      ];
      assert.deepEqual(backend.asked, opened === undefined ? [] : wanted);
    });
  }

  it('passes query patterns and values that are not addresses to Chrome', async () => {
    await calls.perform('tabs.query', [{ url: ['*://*/*'] }], service);
    await calls.perform('tabs.create', [{ url: 5 }], service);
    assert.deepEqual(backend.asked, [
      ['query', { url: ['*://*/*'] }],
      ['create', { url: 5 }],
    ]);
  });
});

describe('tabs.<method> before the browser has started', () => {
  it('has no effect for a viewer who loses the role while the browser restarts', async () => {
    const user = viewer('chrome_apis');
    const caller = { viewer: user.viewer, admin: false };
    const late = [
      calls.perform('tabs.remove', [1], caller),
      calls.perform('dialogs.answer', [1, { accept: true }], caller),
    ];
    user.roles.delete('chrome_apis');
    start();
    await Promise.all(late.map((call) => assert.rejects(call, { code: 'err_forbidden' })));
    assert.deepEqual(backend.asked, []);
  });

  it('waits for the browser, also during a restart', async () => {
    const early = calls.perform('tabs.query', [{}], service);
    start();
    await early;
    tabs.browserIsGone();
    const between = calls.perform('tabs.query', [{}], service);
    await turn();
    assert.equal(backend.asked.length, 1);
    const next = new FakeBackend();
    start(next);
    await between;
    assert.equal(next.asked.length, 1);
  });
});

describe('tabs.<event>', () => {
  beforeEach(() => void start());

  const RECONNECTED = 'tabs.onReconnected';
  const follow = (who: { viewer: Viewer }, name: string, admin = false) =>
    calls.perform('subscribe', [name], { viewer: who.viewer, admin });

  it('prepares the browser first, and is sent to its subscribers', async () => {
    const [one, other] = [viewer('chrome_apis'), viewer('chrome_apis')];
    assert.equal(backend.opened, 0);
    await follow(one, 'tabs.onUpdated');
    assert.equal(backend.opened, 1);
    backend.onEvent?.({ name: 'tabs.onUpdated', args: [1] });
    backend.onEvent?.({ name: 'tabs.onCreated', args: [{}] });
    assert.deepEqual([eventsOf(one.told), eventsOf(other.told)], [['tabs.onUpdated'], []]);
  });

  it('is sent only while the viewer has the role, always to an admin', async () => {
    const [user, admin] = [viewer('chrome_apis'), viewer()];
    await follow(user, 'tabs.onUpdated');
    await follow(admin, 'tabs.onUpdated', true);
    await assert.rejects(follow(viewer(), 'tabs.onUpdated'), { code: 'err_forbidden' });
    user.roles.delete('chrome_apis');
    backend.onEvent?.({ name: 'tabs.onUpdated', args: [1] });
    assert.deepEqual([eventsOf(user.told), eventsOf(admin.told)], [[], ['tabs.onUpdated']]);
  });

  it('continues after a restart of the extension or the browser, with a notice', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    await follow(user, 'tabs.onReconnected');
    backend.onReopened?.();
    tabs.browserIsGone();
    const next = new FakeBackend();
    start(next);
    await turn();
    next.onEvent?.({ name: 'tabs.onUpdated', args: [1] });
    const wanted = ['tabs.onReconnected', 'tabs.onReconnected', 'tabs.onUpdated'];
    assert.deepEqual(eventsOf(user.told), wanted);
  });

  it('is sent at a limited rate for a page that changes its title in a loop, and with the last title', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    const update = (change: object) => backend.onEvent?.({ name: 'tabs.onUpdated', args: [1, change, {}] });
    const told = () => user.told.flatMap((message) => (message.type === 'event' ? [message.args[1]] : []));
    for (let count = 1; count <= 1_000; count++) update({ title: `Title ${count}` });
    assert.ok(told().length <= 10, `${told().length} events`);
    update({ status: 'loading' });
    assert.deepEqual(told().slice(-2), [{ title: 'Title 1000' }, { status: 'loading' }]);
  });

  it('has no icon of megabytes, nor has a result, and its rate stays limited', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    const [small, large] = ['data:,small', `data:,${'x'.repeat(1_000_000)}`];
    const update = (icon: string) =>
      backend.onEvent?.({ name: 'tabs.onUpdated', args: [1, { favIconUrl: icon }, { favIconUrl: icon }] });
    update(small);
    for (let count = 1; count <= 100; count++) update(large);
    const told = user.told.flatMap((message) => (message.type === 'event' ? [message.args] : []));
    assert.ok(told.length <= 10, `${told.length} events`);
    assert.deepEqual(told.slice(0, 2), [
      [1, { favIconUrl: small }, { favIconUrl: small }],
      [1, { favIconUrl: '' }, { favIconUrl: '' }],
    ]);
    backend.outcome = { result: [{ id: 1, favIconUrl: large }, { favIconUrl: small }] };
    assert.deepEqual(await calls.perform('tabs.query', [{}], service), [
      { id: 1, favIconUrl: '' },
      { favIconUrl: small },
    ]);
  });

  it('has no address of megabytes, nor has a result, and its rate is limited', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    const start = 'https://example.com/#';
    const url = (count: number) => `${start}${count}${'x'.repeat(100_000)}`;
    const update = (change: object, tab: object) =>
      backend.onEvent?.({ name: 'tabs.onUpdated', args: [1, change, tab] });
    for (let count = 1; count <= 100; count++) {
      update({ status: 'loading', url: url(count) }, { url: url(count), title: url(count) });
      update({ status: 'complete' }, { url: url(count), pendingUrl: url(count) });
    }
    update({ pinned: true }, { url: url(100) });
    const told = user.told.flatMap((message) => (message.type === 'event' ? [message] : []));
    assert.ok(told.length <= 20, `${told.length} events`);
    for (const event of told) assert.ok(JSON.stringify(event).length < 50_000);
    const cut = url(100).slice(0, 16_384);
    const last = told.slice(-2).map(({ args }) => args);
    assert.deepEqual(last, [
      [1, { status: 'complete', url: cut }, { url: cut, pendingUrl: cut }],
      [1, { pinned: true }, { url: cut }],
    ]);
    backend.outcome = { result: [{ id: 1, url: url(1) }] };
    assert.deepEqual(await calls.perform('tabs.query', [{}], service), [
      { id: 1, url: url(1).slice(0, 16_384) },
    ]);
  });

  it('is sent at once for each short address', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    const url = 'https://example.com/';
    for (let count = 1; count <= 100; count++)
      backend.onEvent?.({ name: 'tabs.onUpdated', args: [1, { status: 'loading', url }, { url }] });
    assert.equal(eventsOf(user.told).length, 100);
  });

  it('is sent after the waiting titles, which have older tabs', async () => {
    const user = viewer('chrome_apis');
    const names = ['tabs.onUpdated', 'tabs.onActivated', 'tabs.onRemoved', 'tabs.onReplaced', RECONNECTED];
    for (const name of names) await follow(user, name);
    const send = (name: string, ...args: unknown[]) => backend.onEvent?.({ name: `tabs.${name}`, args });
    const changeTitle = (tab: number) => {
      for (let count = 1; count <= 20; count++) send('onUpdated', tab, { title: `Title ${count}` }, {});
      user.told.length = 0;
    };
    for (const [name, ...args] of [
      ['onActivated', { tabId: 2, windowId: 1 }],
      ['onReplaced', 3, 1],
      ['onRemoved', 1, { windowId: 1 }],
    ] as const) {
      changeTitle(1);
      send(name, ...args);
      assert.deepEqual(eventsOf(user.told), ['tabs.onUpdated', `tabs.${name}`]);
    }
    changeTitle(1);
    backend.onReopened?.();
    assert.deepEqual(eventsOf(user.told), ['tabs.onUpdated', RECONNECTED]);
    changeTitle(2);
    backend.outcome = { result: [] };
    await calls.perform('tabs.query', [{}], service);
    assert.deepEqual(eventsOf(user.told), ['tabs.onUpdated'], 'before the answer');
  });

  it('is still sent to a subscriber whose repeated subscription fails', async () => {
    const user = viewer('chrome_apis');
    await follow(user, 'tabs.onUpdated');
    backend.failure = new Error('no');
    await assert.rejects(follow(user, 'tabs.onUpdated'), { code: 'err_browser_unavailable' });
    backend.onEvent?.({ name: 'tabs.onUpdated', args: [1] });
    assert.deepEqual(eventsOf(user.told), ['tabs.onUpdated']);
  });

  it('has no subscription if the browser could not be prepared', async () => {
    const user = viewer('chrome_apis');
    backend.failure = new Error('no');
    await assert.rejects(follow(user, 'tabs.onUpdated'), { code: 'err_browser_unavailable' });
    backend.onEvent?.({ name: 'tabs.onUpdated', args: [1] });
    assert.deepEqual(user.told, []);
  });
});
