import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { TabMethod } from 'cloud-browser/protocol';
import { TabDriver } from '../../../../server/src/host/browser/bridge/tab-driver.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { failureOf } from '../../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { TabCalls, type TabBackend } from '../../../../server/src/host/features/tabs/tab-calls.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const service = { viewer: undefined, admin: true };
const opening = { url: 'https://example.com/', frameId: '1', message: 'Hello', hasBrowserHandler: true };
const elsewhere = { url: 'https://example.org/' };

/** Chrome's side of tabs: 1 is hidden, 2 is in front, 3 is asleep. */
class FakeTabs implements TabBackend {
  onEvent: TabBackend['onEvent'];
  onReopened: TabBackend['onReopened'];
  readonly asked: unknown[][] = [];
  /** Tabs without a process. */
  readonly asleep = new Set(['asleep']);
  /** The reaction of Chrome to a call. */
  act: (method: TabMethod) => Promise<unknown> = () => Promise.resolve({ result: undefined });

  async open(): Promise<void> {}

  async call(
    name: 'callTabs' | 'iconsOf' | 'listPages' | 'rendererOf',
    ...[method, args]: unknown[]
  ): Promise<unknown> {
    if (name === 'iconsOf')
      return (method as string[]).map((page) => (page.endsWith('lost') ? '' : `icon of ${page}`));
    if (name === 'callTabs') {
      this.asked.push([method, ...(args as unknown[])]);
      return this.act(method as TabMethod);
    }
    if (name === 'rendererOf') return 7;
    return ['hidden', 'front', 'asleep'].map((page, index) => ({
      tabId: index + 1,
      target: `target-${page}`,
      front: page === 'front',
      live: !this.asleep.has(page),
    }));
  }
}

let time: PassingTime;
let browser: FakeBrowser;
let tabs: FakeTabs;
let calls: Calls;
/** Ends the process of a page. The page in front has the number 7. */
let end: (renderer: number) => void;
let ended: number[];
/** Number of crashes that were reported to users. */
let crashes: number;
/** Events of pages that a recording received. */
let recorded: string[];
beforeEach(async () => {
  ended = [];
  recorded = [];
  crashes = 0;
  end = (renderer) => {
    ended.push(renderer);
    browser.tell('Inspector.targetCrashed', {}, 'front');
  };
  time = new PassingTime();
  browser = new FakeBrowser();
  tabs = new FakeTabs();
  calls = new Calls(() => false);
  const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
  const pages = await Pages.follow(browser.cdp, setup);
  pages.onCrashed = () => void (crashes += 1);
  pages.events.onRecorded = (_, event) => recorded.push(event);
  browser.attach('asleep', 'page');
  await settle();
  new TabCalls(calls).use(tabs, new TabDriver(tabs, pages, (renderer) => end(renderer)));
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

const call = (method: TabMethod, ...args: unknown[]) => calls.perform(`tabs.${method}`, args, service);
/** Returns the code of a refusal, or that there was none. */
const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => failureOf(error).code,
  );
/** Returns the outcome of a call for which time passes. */
async function outcomeAfter(milliseconds: number, asked: Promise<unknown>): Promise<string> {
  const outcome = outcomeOf(asked);
  await time.pass(milliseconds);
  return outcome;
}
const openDialog = async (page: string, type = 'alert') => {
  browser.tell('Page.javascriptDialogOpening', { ...opening, type }, page);
  await settle();
};
/** A page in a loop, which answers nothing. */
const loop = (page: string) => {
  browser.silent = ({ method, sessionId }) => sessionId === page && method === 'Runtime.evaluate';
};

/** Calls that a page has to carry out itself. */
const OF_PAGES: [TabMethod, ...unknown[]][] = [
  ['update', 2, elsewhere],
  ['update', null, elsewhere],
  ['update', elsewhere],
  ['reload', 2],
  ['reload'],
  ['goBack', 2],
  ['goForward'],
  ['detectLanguage', 2],
];

describe('a tab whose page loses its process during a command', () => {
  beforeEach(() => {
    loop('front');
    tabs.act = () => {
      browser.silent = () => false;
      return Promise.resolve({ result: undefined });
    };
  });

  it('navigates as soon as the loss is reported', async () => {
    const outcome = outcomeOf(call('update', 2, elsewhere));
    await settle();
    browser.tell('Inspector.targetCrashed', {}, 'front');
    assert.equal(await outcome, 'done');
    assert.equal(tabs.asked.length, 1);
  });

  it('navigates even if the loss was reported before', async () => {
    const outcome = outcomeOf(call('update', 2, elsewhere));
    await settle();
    tabs.asleep.add('front');
    await time.pass(3_000);
    assert.equal(await outcome, 'done');
    assert.equal(tabs.asked.length, 1);
  });
});

describe('a tab whose page has a dialog open', () => {
  beforeEach(() => openDialog('front'));

  for (const [method, ...args] of OF_PAGES) {
    it(`refuses ${method}(${JSON.stringify(args).slice(1, -1)})`, async () => {
      await assert.rejects(call(method, ...args), { code: 'err_dialog_open', message: /\(alert\)/ });
      assert.deepEqual(tabs.asked, []);
    });
  }

  it('can be switched, queried, muted, closed and created, like other tabs', async () => {
    for (const [method, ...args] of [
      ['update', 2, { active: true }],
      ['query', {}],
      ['create', elsewhere],
      ['remove', 2],
      ['update', 1, elsewhere],
      ['reload', 1],
      ['reload', 99],
      ['goBack', 3],
    ] as [TabMethod, ...unknown[]][])
      assert.equal(await outcomeOf(call(method, ...args)), 'done', method);
    assert.equal(tabs.asked.length, 8);
  });

  it('accepts the calls after the dialog is closed', async () => {
    browser.tell('Page.javascriptDialogClosed', { result: true, userInput: '' }, 'front');
    await settle();
    assert.equal(await outcomeOf(call('reload', 2)), 'done');
  });

  it('navigates by force, which Chrome does not report', async () => {
    loop('front');
    await call('update', 2, { ...elsewhere, muted: true, force: true });
    assert.deepEqual(ended, [7]);
    const update = ['update', 2, { ...elsewhere, muted: true }];
    assert.deepEqual(tabs.asked, [update, update]);
    assert.equal(crashes, 0, 'no crash is reported');
    assert.deepEqual(recorded, [], 'no crash is recorded');
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    assert.equal(crashes, 1, 'a later crash is reported');
    assert.deepEqual(recorded, ['page_crashed'], 'a later crash is recorded');
  });

  it('navigates by force although Chrome refuses while the page asks its user whether to leave', async () => {
    tabs.act = () =>
      Promise.resolve(ended.length > 0 ? { result: undefined } : { error: 'Navigation rejected.' });
    assert.equal(await outcomeOf(call('update', 2, { ...elsewhere, force: true })), 'done');
  });

  it('keeps the page if Chrome refuses a forced call', async () => {
    tabs.act = () => Promise.resolve({ error: 'No.' });
    for (const properties of [{ url: 'about:kill' }, { ...elsewhere, muted: 'x' }])
      await assert.rejects(call('update', 2, { ...properties, force: true }), { code: 'err_chrome' });
    assert.deepEqual(ended, []);
  });

  it('keeps the page if the address of a forced call is no text', async () => {
    tabs.act = () => Promise.resolve({ error: 'No.' });
    await assert.rejects(call('update', 2, { url: 5, force: true }), { code: 'err_chrome', message: 'No.' });
    assert.deepEqual(ended, []);
  });
});

describe('a tab whose page does not answer', () => {
  // Proves: tabs.<method>: a page in the way, force
  it('refuses calls that need the page, and navigates by force', async () => {
    loop('front');
    assert.equal(await outcomeAfter(3_000, call('reload')), 'err_page_unresponsive');
    assert.deepEqual(tabs.asked, []);
    assert.equal(await outcomeAfter(3_000, call('update', 2, { ...elsewhere, force: true })), 'done');
    const update = ['update', 2, elsewhere];
    assert.deepEqual(tabs.asked, [update, update]);
  });

  it('fails if its process cannot be ended either', async () => {
    browser.silent = ({ sessionId }) => sessionId === 'front';
    end = () => undefined;
    const forced = call('update', 2, { ...elsewhere, force: true });
    assert.equal(await outcomeAfter(10_000, forced), 'err_page_unresponsive');
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    assert.equal(crashes, 1, 'a later crash is reported');
  });
});

describe('a tab whose page asks before it is left', () => {
  const asking = { type: 'beforeunload', ...opening };

  for (const [method, ...args] of [
    ['update', 2, elsewhere],
    ['reload', 2],
    ['remove', 2],
    ['remove', [1, 2]],
  ] as [TabMethod, ...unknown[]][]) {
    it(`fails to ${method} ${JSON.stringify(args[0])} when the page asks`, async () => {
      // Chrome has accepted before the page asks. It answers a removal when the tab is gone.
      tabs.act = () => {
        browser.silent = ({ method }) => method === 'Runtime.evaluate';
        browser.tell('Page.javascriptDialogOpening', asking, 'front');
        return method === 'remove' ? new Promise(() => undefined) : Promise.resolve({ result: undefined });
      };
      await assert.rejects(call(method, ...args), { code: 'err_dialog_open', message: /beforeunload/ });
    });
  }

  it('fails when its answer never arrives', async () => {
    tabs.act = () => {
      loop('front');
      return Promise.resolve({ result: undefined });
    };
    assert.equal(await outcomeAfter(3_000, call('update', 2, elsewhere)), 'err_page_unresponsive');
  });

  it('succeeds after it was left, whatever the next page does', async () => {
    tabs.act = () => {
      loop('front');
      browser.tell('Page.frameNavigated', { frame: { id: 'frame', parentId: 'main' } }, 'front');
      browser.tell('Page.frameNavigated', { frame: { id: 'main' } }, 'front');
      browser.tell('Page.javascriptDialogOpening', { ...opening, type: 'alert' }, 'front');
      return Promise.resolve({ result: undefined });
    };
    assert.equal(await outcomeOf(call('update', 2, elsewhere)), 'done');
  });

  it('does not ask when Chrome refuses', async () => {
    tabs.act = () => Promise.resolve({ error: 'No.' });
    await assert.rejects(call('update', 2, elsewhere), { code: 'err_chrome', message: 'No.' });
  });
});

describe('dialogs', () => {
  const follower = (...roles: string[]) => {
    const told: unknown[] = [];
    const send = ({ name, args }: { name: string; args: unknown }) => told.push([name, args]);
    const rights = { permissions: {}, roles: new Set(roles), tied: new Set() };
    return { viewer: { rights, send } as unknown as Viewer, admin: false, told };
  };

  it('are listed with their tabs, and can be answered', async () => {
    assert.deepEqual(await calls.perform('dialogs.list', [], service), []);
    await openDialog('hidden', 'prompt');
    const dialog = { tabId: 1, type: 'prompt', message: 'Hello', defaultPrompt: '', url: opening.url };
    assert.deepEqual(await calls.perform('dialogs.list', [], service), [dialog]);
    await calls.perform('dialogs.answer', [1, { accept: true, text: 'Me' }], service);
    const sent = browser.commands.find(({ method }) => method === 'Page.handleJavaScriptDialog');
    assert.deepEqual([sent?.sessionId, sent?.params], ['hidden', { accept: true, promptText: 'Me' }]);
    const other = calls.perform('dialogs.answer', [2, { accept: true }], service);
    await assert.rejects(other, { code: 'err_call_failed', message: 'This tab has no dialog open.' });
  });

  it('are reported when they open and close, also with their page', async () => {
    const user = follower('chrome_apis');
    await calls.perform('subscribe', ['dialogs.onOpened'], user);
    await calls.perform('subscribe', ['dialogs.onClosed'], user);
    await openDialog('front');
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    const dialog = { tabId: 2, type: 'alert', message: 'Hello', defaultPrompt: '', url: opening.url };
    assert.deepEqual(user.told, [
      ['dialogs.onOpened', [dialog]],
      ['dialogs.onClosed', [2]],
    ]);
    assert.deepEqual(await calls.perform('dialogs.list', [], service), []);
  });

  it('need the role chrome_apis and valid arguments', async () => {
    const user = follower('control');
    for (const [method, ...args] of [
      ['dialogs.list'],
      ['dialogs.answer', 2, { accept: true }],
      ['subscribe', 'dialogs.onOpened'],
    ] as const)
      await assert.rejects(calls.perform(method, args, user), { code: 'err_forbidden' });
    for (const args of [[], ['2', { accept: true }], [2], [2, {}], [2, { accept: true, text: 5 }]])
      await assert.rejects(calls.perform('dialogs.answer', args, service), { code: 'err_invalid_parameter' });
    const text = 'x'.repeat(4_097);
    const long = calls.perform('dialogs.answer', [2, { accept: true, text }], service);
    await assert.rejects(long, { code: 'err_invalid_parameter' });
  });
});

describe('a query for icons', () => {
  const stranger = 'https://hostile.example/icon.png';
  const page = { id: 1, url: 'https://hostile.example/', favIconUrl: stranger };
  const bare = { id: 2, url: 'about:blank' };
  const lost = { id: 3, url: 'https://hostile.example/lost', favIconUrl: stranger };
  beforeEach(() => {
    tabs.act = () => Promise.resolve({ result: [page, bare, lost] });
  });

  it('adds the icons that the browser has drawn, and leaves the address of the page unchanged', async () => {
    assert.deepEqual(await call('query', { icons: true, active: true }), [
      { ...page, icon: `icon of ${page.url}` },
      bare,
      lost,
    ]);
    assert.deepEqual(tabs.asked, [['query', { active: true }]]);
  });

  it('returns the tabs of Chrome unchanged if the query has no icons', async () => {
    for (const query of [{}, { icons: false }])
      assert.deepEqual(await call('query', query), [page, bare, lost]);
    assert.deepEqual(tabs.asked, [
      ['query', {}],
      ['query', {}],
    ]);
  });

  it('leaves the refusal of a wrong query to Chrome', async () => {
    tabs.act = () => Promise.resolve({ error: 'Invalid query.' });
    assert.equal(await outcomeOf(call('query', { icons: true, index: 'x' })), 'err_chrome');
    assert.equal(await outcomeOf(call('query', 5)), 'err_chrome');
  });
});
