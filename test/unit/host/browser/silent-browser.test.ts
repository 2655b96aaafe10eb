import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Bridge } from '../../../../server/src/host/browser/bridge/bridge.js';
import { CdpError } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { timeoutOf } from '../../../../server/src/host/browser/cdp/timeouts.js';
import { AndroidEmulation } from '../../../../server/src/host/browser/pages/emulation/android-emulation.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { RestoredTabs } from '../../../../server/src/host/browser/pages/start/restored-tabs.js';
import { StartWindow } from '../../../../server/src/host/browser/pages/start/start-window.js';
import { expectRepaint } from '../../../../server/src/host/browser/pages/repaint.js';
import { TabDriver } from '../../../../server/src/host/browser/bridge/tab-driver.js';
import { TypingHold } from '../../../../server/src/host/input/keyboard/typing-hold.js';
import { UserInput, type UserEvent } from '../../../../server/src/host/input/user-input.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { inputParts } from '../../../fakes/input-parts.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

/** Every CDP method that the session host sends. The first test compares the list with the code. */
const METHODS = [
  'Browser.close',
  'Browser.getVersion',
  'Browser.getWindowForTarget',
  'Browser.setPermission',
  'Emulation.setDeviceMetricsOverride',
  'Emulation.setEmitTouchEventsForMouse',
  'Emulation.setPageScaleFactor',
  'Emulation.setTouchEmulationEnabled',
  'Emulation.setUserAgentOverride',
  'Extensions.loadUnpacked',
  'Fetch.disable',
  'Fetch.enable',
  'Fetch.fulfillRequest',
  'Input.dispatchKeyEvent',
  'Input.dispatchMouseEvent',
  'Input.imeSetComposition',
  'Input.insertText',
  'Network.disable',
  'Network.enable',
  'Network.setBypassServiceWorker',
  'Page.addScriptToEvaluateOnNewDocument',
  'Page.bringToFront',
  'Page.enable',
  'Page.getNavigationHistory',
  'Page.handleJavaScriptDialog',
  'Page.navigate',
  'Page.reload',
  'Page.resetNavigationHistory',
  'Runtime.addBinding',
  'Runtime.awaitPromise',
  'Runtime.callFunctionOn',
  'Runtime.enable',
  'Runtime.evaluate',
  'Runtime.releaseObjectGroup',
  'Runtime.runIfWaitingForDebugger',
  'Target.activateTarget',
  'Target.attachToTarget',
  'Target.closeTarget',
  'Target.createTarget',
  'Target.detachFromTarget',
  'Target.getTargets',
  'Target.setAutoAttach',
];

/** The longest time that one user's input may delay other users, in milliseconds. */
const INPUT_LIMIT_MS = 1_000;

let time: PassingTime;
let browser: FakeBrowser;
/** A session that restores the tabs of a profile. */
let restoring: FakeBrowser;
let bridge: Bridge;
let display: string[];
beforeEach(() => {
  time = new PassingTime();
  browser = new FakeBrowser();
  restoring = new FakeBrowser();
  bridge = new Bridge(browser.cdp);
  display = [];
});
afterEach(() => {
  browser.cdp.close();
  restoring.cdp.close();
  time.restore();
});

const START_PAGE = {
  startUrl: 'https://example.com/',
  restoreTabs: false,
  kiosk: true,
  userAgent: 'chrome_android',
  fieldMasking: [],
  width: 1280,
} as const;
/** Rights of a user in a session without masked fields. */
const ANY = { mayWrite: () => false, onRefused: () => undefined, hold: new TypingHold() };

const SETUP = { pinch: true, kiosk: false, maxPages: 50 };

/** Starts a session of an emulated phone, until its first page is ready. */
async function start(): Promise<Pages> {
  await browser.cdp.browser.send('Browser.getVersion', {});
  const emulation = await AndroidEmulation.create(browser.cdp);
  const pages = await Pages.follow(browser.cdp, { ...SETUP, emulation });
  await new StartWindow(browser.cdp, pages, START_PAGE, () => undefined).open();
  return pages;
}

const at = { seq: 1, modifiers: 0, x: 100, y: 300 };
const key = { type: 'key', code: 'KeyQ', key: 'é', repeat: false, ...at } as const;
/** Events of users, all in the same input queue. */
const EVENTS = {
  'a key': { ...key, pressed: true },
  'the same key, lifted': { ...key, pressed: false },
  Escape: { ...key, code: 'Escape', key: 'Escape', pressed: true },
  text: { type: 'text', text: '漢字', ...at },
  'unfinished text': { type: 'composition', text: 'か', ...at },
  'a touchpad': { type: 'wheel', deltaX: 0, deltaY: 40, notched: false, ...at },
  'a wheel': { type: 'wheel', deltaX: 0, deltaY: 120, notched: true, ...at },
  'a finger': { type: 'touch', phase: 'start', points: [{ id: 1, x: 1, y: 1 }], seq: 1, modifiers: 0 },
  'letting go': { type: 'release', seq: 1, modifiers: 0 },
} as const satisfies Record<string, UserEvent>;

/** All actions of a user or the service except input, each with its time limit in milliseconds. */
const ACTS: Record<string, { limit: number; act: (pages: Pages) => Promise<unknown> }> = {
  'tabs call': { limit: 35_000, act: () => bridge.call('callTabs', 'query', [{}]) },
  'tabs events': { limit: 35_000, act: () => bridge.open() },
  bookmarks: { limit: 35_000, act: () => bridge.call('addBookmarks', []) },
  resize: {
    limit: 3_000,
    act: async (pages) => {
      const page = await pages.front();
      assert.ok(page);
      const repainted = await expectRepaint(page, { width: 1, height: 1, ratio: 1 }, true);
      await repainted();
    },
  },
  'open an address': { limit: 125_000, act: (pages) => pages.open('https://example.com/') },
  'leaving a page by force': {
    limit: 25_000,
    act: async (pages) => {
      const page = pages.ofTarget('target-front');
      assert.ok(page);
      const listed = { tabId: 1, target: 'target-front', front: true, live: true };
      const answers: Record<string, unknown> = { listPages: [listed], rendererOf: 1 };
      const call = (name: string) => Promise.resolve(answers[name] ?? {});
      const driver = new TabDriver({ call }, pages, () => undefined);
      browser.tell('Page.javascriptDialogOpening', { type: 'alert', message: '', url: '' }, 'front');
      await settle();
      try {
        await driver.answerDialog(1, { accept: true });
        await driver.call('update', [1, { url: 'about:blank', force: true }]);
      } finally {
        browser.tell('Page.javascriptDialogClosed', {}, 'front');
        await settle();
      }
    },
  },
  'open an address in a restored tab': {
    limit: 160_000,
    act: async () => {
      restoring.silent = browser.silent;
      const restored = new RestoredTabs(0);
      const emulation = await AndroidEmulation.create(restoring.cdp);
      const pages = await Pages.follow(restoring.cdp, { ...SETUP, emulation, restored });
      const session = { ...START_PAGE, restoreTabs: true };
      const start = new StartWindow(restoring.cdp, pages, session, () => undefined, restored);
      restoring.tell('Fetch.requestPaused', { requestId: '1' }, 'front');
      await start.load();
      await pages.open('https://example.com/');
    },
  },
};

/** Resolves to the outcome of an act within its limit. */
async function outcomeOf(act: Promise<unknown>, limit: number): Promise<unknown> {
  let outcome: unknown = 'nothing';
  act.then(
    () => (outcome = 'done'),
    (error: unknown) => (outcome = error),
  );
  for (let passed = 0; passed < limit && outcome === 'nothing'; passed += 250) await time.pass(250);
  return outcome;
}

/** Succeeded, or failed with an error that names the command without an answer. */
function assertClear(name: string, outcome: unknown): void {
  if (outcome === 'done') return;
  if (outcome instanceof CdpError) assert.equal(outcome.reason, 'timed-out', `${name}: ${outcome.message}`);
  else assert.match(String(outcome), /does not answer/, name);
}

async function everyAct(pages: Pages): Promise<void> {
  for (const [name, { limit, act }] of Object.entries(ACTS)) {
    assertClear(name, await outcomeOf(act(pages), limit));
  }
  const devices = inputParts(browser.cdp, pages, display);
  for (const [name, event] of Object.entries(EVENTS)) {
    const [user, other] = [new UserInput(devices, ANY), new UserInput(devices, ANY)];
    user.handle(event, () => undefined);
    const performed = new Promise<void>((resolve) => other.handle({ type: 'move', ...at }, resolve));
    assert.equal(await outcomeOf(performed, INPUT_LIMIT_MS), 'done', `${name} keeps others waiting`);
  }
  browser.cdp.browser.post('Browser.close', {});
  browser.cdp.close();
}

describe('a page that has a dialog open', () => {
  // Proves: no page or dialog holds up input elsewhere
  it('blocks no user, and text and wheel go to the display', async () => {
    const pages = await start();
    const devices = inputParts(browser.cdp, pages, display);
    browser.silent = ({ method, sessionId }) => sessionId === 'front' && !method.startsWith('Browser.');
    browser.tell('Page.javascriptDialogOpening', { type: 'alert', message: '', url: '' }, 'front');
    await settle();
    assert.equal(await pages.front(), pages.ofTarget('target-front'));
    const user = new UserInput(devices, ANY);
    // No time passes.
    for (const event of Object.values(EVENTS)) await new Promise<void>((done) => user.handle(event, done));
    assert.ok(display.filter((act) => act === 'key 9 down').length >= 2, 'the key and the text');
    assert.ok(!browser.methods.some((method) => method.startsWith('Input.')));
  });

  it('blocks no user after a key opened the dialog, including the key on OK', async () => {
    const pages = await start();
    const user = new UserInput(inputParts(browser.cdp, pages, display), ANY);
    browser.silent = ({ method }) => method === 'Input.dispatchKeyEvent';
    user.handle(EVENTS['a key'], () => undefined);
    await settle();
    const dialog = { type: 'alert', message: '', url: '' };
    browser.tell('Page.javascriptDialogOpening', dialog, 'front');
    await new Promise<void>((done) => user.handle({ type: 'button', button: 0, pressed: true, ...at }, done));
    assert.equal(display.at(-1), 'button 1 down');
    assert.deepEqual(browser.drops, []);
  });
});

describe('the page in front', () => {
  it('is found without waiting for an older page that does not answer', async () => {
    const pages = await start();
    browser.silent = ({ sessionId }) => sessionId === 'hidden';
    assert.equal(await pages.front(), pages.ofTarget('target-front'));
  });

  it('is the page that does not answer when the others are hidden', async () => {
    const pages = await start();
    browser.attach('newer', 'page');
    await settle();
    browser.silent = ({ method, sessionId }) => method === 'Runtime.evaluate' && sessionId === 'front';
    const front = pages.front();
    await time.pass(timeoutOf('Runtime.evaluate'));
    assert.equal(await front, pages.ofTarget('target-front'));
  });
});

describe('a browser that never answers', () => {
  it('receives only commands that these tests cover', async () => {
    await everyAct(await start());
    const lost = new FakeBrowser();
    await new Bridge(lost.cdp).open();
    lost.tell('Inspector.targetCrashed', {}, 'worker');
    await time.pass(50);
    lost.cdp.close();
    const sent = new Set([browser, lost, restoring].flatMap(({ methods }) => methods));
    assert.deepEqual([...sent].sort(), METHODS);
    assert.deepEqual(browser.drops, []);
  });

  it('in a page causes one wait, and another one after the page has answered', async () => {
    const pages = await start();
    const devices = inputParts(browser.cdp, pages, display);
    const user = new UserInput(devices, ANY);
    const perform = (event: UserEvent) => new Promise<void>((done) => user.handle(event, done));
    browser.silent = ({ method, sessionId }) => method === 'Runtime.evaluate' && sessionId === 'front';
    const first = perform({ ...key, pressed: true });
    await time.pass(timeoutOf('Runtime.evaluate'));
    await first;
    // No time passes from here on.
    for (const name of ['the same key, lifted', 'Escape', 'a touchpad', 'a key'] as const)
      await perform(EVENTS[name]);
    browser.speak();
    await time.pass(50);
    await perform({ type: 'text', text: '漢字', ...at });
    assert.equal(browser.methods.at(-1), 'Input.insertText');
  });

  for (const method of METHODS) {
    const isSilent = (command: { method: string }) => command.method === method;

    it(`to ${method}: a session starts, or fails with a reason`, async () => {
      browser.silent = isSilent;
      const starting = start();
      const outcome = await outcomeOf(starting, timeoutOf('Browser.getVersion') + 15_000);
      assertClear('start', outcome);
      if (outcome === 'done') await everyAct(await starting);
    });

    it(`to ${method} after the start: every action ends, and other users' input continues`, async () => {
      const pages = await start();
      browser.silent = isSilent;
      await everyAct(pages);
    });
  }
});
