import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AndroidEmulation } from '../../../../server/src/host/browser/pages/emulation/android-emulation.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { RestoredTabs } from '../../../../server/src/host/browser/pages/start/restored-tabs.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const TABS = ['one', 'two', 'three'];

let time: PassingTime;
let browser: FakeBrowser;
let restored: RestoredTabs;
let pages: Pages;
let opened: string[];
beforeEach(async () => {
  time = new PassingTime();
  browser = new FakeBrowser(false);
  restored = new RestoredTabs(1);
  const emulation = await AndroidEmulation.create(browser.cdp);
  pages = await Pages.follow(browser.cdp, { emulation, pinch: false, kiosk: true, restored, maxPages: 3 });
  opened = [];
  pages.onOpened = (target) => opened.push(target);
  browser.attach('empty', 'page');
  await settle();
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

async function restore(): Promise<void> {
  for (const tab of TABS) browser.attach(tab, 'page');
  await settle();
}
/** The targets of the calls of a method. */
const targetsOf = (asked: string) =>
  browser.commands.filter(({ method }) => method === asked).map(({ params }) => params['targetId']);
/** The methods called in a session. */
const askedOf = (session: string) =>
  browser.commands.filter(({ sessionId }) => sessionId === session).map(({ method }) => method);
const isEmulated = (session: string) => askedOf(session).includes('Emulation.setDeviceMetricsOverride');
const isLoaded = (session: string) => askedOf(session).includes('Page.reload');
const stopped = (session: string) =>
  browser.tell('Page.frameStoppedLoading', { frameId: `target-${session}` }, session);

describe('tabs that are restored with the first window', () => {
  it('replace its empty page, with the previous front tab in front', async () => {
    const shown = restored.show(browser.cdp);
    await settle();
    assert.deepEqual(targetsOf('Target.closeTarget'), []);
    await restore();
    assert.equal(await shown, true);
    assert.deepEqual(targetsOf('Target.activateTarget'), ['target-two']);
    assert.deepEqual(targetsOf('Target.closeTarget'), ['target-empty']);
  });

  it('can be as many as the page limit, and are not reported as opened by a page', async () => {
    await restore();
    await restored.show(browser.cdp);
    browser.tell('Target.detachedFromTarget', { sessionId: 'empty' });
    await settle();
    assert.ok(!browser.methods.includes('Page.close'));
    assert.deepEqual(opened, []);
    assert.equal(pages.full, 3);
    browser.tell('Target.detachedFromTarget', { sessionId: 'three' });
    await settle();
    browser.attach('popup', 'page');
    await settle();
    assert.deepEqual(opened, ['target-popup']);
  });

  it('are waited for only until a deadline', async () => {
    const shown = restored.show(browser.cdp);
    await time.pass(11_000);
    assert.equal(await shown, false);
    browser.attach('popup', 'page');
    await settle();
    assert.ok(isEmulated('popup'));
  });
});

describe('a restored tab', () => {
  it('is empty until it has its emulation, and is loaded then', async () => {
    await restore();
    await time.pass(60_000);
    assert.ok(!isEmulated('one'), 'it has no process before it is loaded');
    browser.tell('Fetch.requestPaused', { requestId: '1' }, 'one');
    await settle();
    assert.ok(askedOf('one').includes('Fetch.fulfillRequest'));
    assert.ok(!isEmulated('one'));
    browser.silent = ({ method }) => method === 'Emulation.setUserAgentOverride';
    stopped('one');
    await settle();
    assert.ok(isEmulated('one'));
    assert.ok(!isLoaded('one'));
    await time.pass(3_000);
    assert.deepEqual(askedOf('one').slice(-4), [
      'Fetch.disable',
      'Network.setBypassServiceWorker',
      'Network.disable',
      'Page.reload',
    ]);
    assert.ok(!isEmulated('two'), 'tabs come one by one');
  });

  it('gets its emulation also when it needs no server', async () => {
    await restore();
    stopped('one');
    await settle();
    assert.ok(isLoaded('one'));
  });

  it('is loaded even if its empty page never appears', async () => {
    await restore();
    browser.tell('Fetch.requestPaused', { requestId: '1' }, 'one');
    await time.pass(9_000);
    assert.ok(!isLoaded('one'));
    await time.pass(2_000);
    assert.ok(isLoaded('one'));
  });

  it('is forgotten when it is closed before it was loaded', async () => {
    await restore();
    browser.tell('Target.detachedFromTarget', { sessionId: 'one' });
    await settle();
    assert.ok(!isLoaded('one'));
  });
});
