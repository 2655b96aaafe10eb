import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { StartWindow } from '../../../../server/src/host/browser/pages/start/start-window.js';
import { normalizeStartUrl } from '../../../../server/src/sessions/settings/start-url.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const URL = 'https://example.com/';
const SESSION = {
  startUrl: URL,
  restoreTabs: false,
  kiosk: false,
  userAgent: 'desktop',
  fieldMasking: [],
  width: 1280,
} as const;

let time: PassingTime;
let browser: FakeBrowser;
let pages: Pages;
let failures: number;
beforeEach(async () => {
  failures = 0;
  time = new PassingTime();
  browser = new FakeBrowser();
  pages = await Pages.follow(browser.cdp, { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 });
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

const startWindow = (settings: object = {}) =>
  new StartWindow(browser.cdp, pages, { ...SESSION, ...settings }, () => failures++);
const PHONE_WITH_TABS = { userAgent: 'chrome_android', restoreTabs: true } as const;

/** The parameters of the requested windows. */
const windows = () =>
  browser.commands.filter(({ method }) => method === 'Target.createTarget').map(({ params }) => params);
const isCreation = ({ method }: { method: string }) => method === 'Target.createTarget';
async function closeAll(): Promise<void> {
  for (const sessionId of ['hidden', 'front']) browser.tell('Target.detachedFromTarget', { sessionId });
  await settle();
}

describe('the start page', () => {
  it('opens in its own window, and again when the last page was closed', async () => {
    await startWindow().open();
    assert.deepEqual(windows(), [{ url: URL, newWindow: true }]);
    browser.tell('Target.detachedFromTarget', { sessionId: 'hidden' });
    await settle();
    assert.equal(windows().length, 1, 'a page is left');
    browser.silent = isCreation;
    await time.pass(1_000);
    await closeAll();
    assert.deepEqual(windows()[1], { url: URL, newWindow: true });
    browser.attach('new', 'page');
    await time.pass(60_000);
    assert.equal(windows().length, 2);
  });

  it('fills the screen of a kiosk', async () => {
    await startWindow({ kiosk: true }).open();
    assert.deepEqual(windows(), [{ url: URL, newWindow: true, windowState: 'fullscreen' }]);
  });

  for (const address of ['about:newtab', 'chrome://newtab', ' CHROME://new-tab-page/ '])
    it(`is Chromium's new tab page for ${JSON.stringify(address)}, in tabs, in a kiosk and on a phone`, async () => {
      const startUrl = normalizeStartUrl(address);
      const url = 'chrome://newtab/';
      await startWindow({ startUrl }).open();
      await startWindow({ startUrl, kiosk: true }).open();
      assert.deepEqual(windows(), [
        { url, newWindow: true },
        { url, newWindow: true, windowState: 'fullscreen' },
      ]);
      await startWindow({ startUrl, userAgent: 'chrome_android' }).load();
      const navigation = browser.commands.find(({ method }) => method === 'Page.navigate');
      assert.deepEqual(navigation?.params, { url });
    });

  it('waits in an empty window until pages may load', async () => {
    const start = startWindow({ userAgent: 'chrome_android' });
    await start.open();
    assert.deepEqual(windows(), [{ url: 'about:blank', newWindow: true }]);
    await start.load();
    const navigation = browser.commands.find(({ method }) => method === 'Page.navigate');
    assert.deepEqual(navigation?.params, { url: URL });
  });

  it('waits in an empty window until a narrow window has the width of the screen', async () => {
    const start = startWindow({ width: 360 });
    await start.open();
    assert.deepEqual(windows(), [{ url: 'about:blank', newWindow: true }]);
    const isFitting = ({ params }: { params: object }) => JSON.stringify(params).includes('innerWidth');
    browser.silent = isFitting;
    const loading = start.load();
    await settle();
    assert.ok(browser.commands.some(isFitting));
    assert.ok(!browser.methods.includes('Page.navigate'));
    browser.silent = () => false;
    browser.speak();
    await loading;
    assert.ok(browser.methods.includes('Page.navigate'));
  });

  it('is not loaded into a narrow window that restores its tabs', async () => {
    await startWindow({ width: 360, restoreTabs: true }).load();
    assert.ok(!browser.methods.includes('Page.navigate'));
  });

  for (const act of ['load', 'become'] as const)
    it(`gets the keyboard focus when an empty window shows it (${act})`, async () => {
      const phone = { ...SESSION, userAgent: 'chrome_android' } as const;
      await startWindow(phone)[act](phone);
      const steps = browser.commands
        .filter(({ method }) => /^Page\.(bringToFront|navigate)$/.test(method))
        .map(({ method, sessionId }) => [method, sessionId]);
      assert.deepEqual(steps, [
        ['Page.bringToFront', 'front'],
        ['Page.navigate', 'front'],
      ]);
    });

  it('leaves the keyboard focus in the address bar if it is empty', async () => {
    const session = { ...SESSION, startUrl: 'about:blank' };
    await startWindow().become(session);
    assert.ok(browser.methods.includes('Page.navigate'));
    assert.ok(!browser.methods.includes('Page.bringToFront'));
  });

  it('is loaded if the profile has no tabs', async () => {
    await closeAll();
    const start = startWindow(PHONE_WITH_TABS);
    browser.attach('first', 'page');
    await settle();
    await start.load();
    assert.ok(browser.methods.includes('Page.navigate'));
  });

  it('does not replace restored tabs that were closed, instead the browser ends', async () => {
    startWindow(PHONE_WITH_TABS);
    await closeAll();
    await time.pass(1_000);
    assert.deepEqual(windows(), []);
    assert.ok(browser.methods.includes('Browser.close'));
  });

  it('is requested again while no page appears', async () => {
    startWindow();
    browser.refuse = isCreation;
    await closeAll();
    await time.pass(1_000);
    assert.ok(windows().length > 3, `${windows().length} attempts`);
    browser.refuse = () => false;
    browser.silent = isCreation;
    await time.pass(200);
    const attempts = windows().length;
    browser.attach('new', 'page');
    await time.pass(60_000);
    assert.equal(windows().length, attempts);
    assert.equal(failures, 0);
  });

  it('is requested once from a busy browser that answers late', async () => {
    await closeAll();
    browser.silent = isCreation;
    const opened = startWindow().open();
    await time.pass(9_000);
    assert.equal(windows().length, 1, 'the browser still opens the window');
    browser.speak();
    await opened;
    assert.equal(windows().length, 1);
  });

  it('is opened with growing delays if it closes itself at once', async () => {
    startWindow();
    await closeAll();
    let closed = 0;
    for (let passed = 0; passed < 20_000; passed += 50) {
      if (windows().length > closed) {
        closed = windows().length;
        browser.attach(`page-${closed}`, 'page');
        await settle();
        browser.tell('Target.detachedFromTarget', { sessionId: `page-${closed}` });
      }
      await time.pass(50);
    }
    assert.ok(closed >= 8 && closed <= 20, `${closed} times`);
    assert.equal(failures, 0);
  });

  it('that never appears counts as a browser failure', async () => {
    startWindow();
    browser.silent = isCreation;
    await closeAll();
    await time.pass(30_000);
    assert.equal(failures, 1);
  });

  it('is opened once more if its window is closed during the load', async () => {
    startWindow({ userAgent: 'chrome_android' });
    browser.silent = ({ method }) => method === 'Page.navigate';
    await closeAll();
    browser.attach('new', 'page');
    await time.pass(100);
    assert.ok(browser.methods.includes('Page.navigate'));
    const before = windows().length;
    browser.tell('Target.detachedFromTarget', { sessionId: 'new' });
    await time.pass(100);
    assert.ok(windows().length > before);
    assert.equal(failures, 0);
  });

  it('is not requested in a browser that has ended', async () => {
    startWindow();
    browser.cdp.close();
    await time.pass(1_000);
    assert.deepEqual(windows(), []);
    assert.equal(failures, 0);
  });
});
