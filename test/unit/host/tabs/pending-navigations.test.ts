import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RequestWatch } from '../../../../server/src/host/browser/bridge/request-watch.js';
import { TabDriver, type TabOutcome } from '../../../../server/src/host/browser/bridge/tab-driver.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const MAIN = 'target-front';
const LOADER = 'loader-1';
const DONE = { result: undefined };

let time: PassingTime;
let browser: FakeBrowser;
let pages: Pages;
let driver: TabDriver;
/** Numbers of the processes that the driver has ended. */
let ended: number[];
/** The reaction of the browser to a call of `chrome.tabs`. */
let act: () => void;
beforeEach(async () => {
  time = new PassingTime();
  browser = new FakeBrowser();
  const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
  pages = await Pages.follow(browser.cdp, setup);
  await settle();
  ended = [];
  act = () => undefined;
  const listed = { tabId: 1, target: MAIN, front: true, live: true };
  const call = (name: string): Promise<unknown> => {
    if (name === 'callTabs') act();
    return Promise.resolve({ listPages: [listed], rendererOf: 7 }[name] ?? DONE);
  };
  driver = new TabDriver({ call }, pages, (renderer) => {
    ended.push(renderer);
    browser.tell('Inspector.targetCrashed', {}, 'front');
  });
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

/** The page answers nothing, as while a navigation is pending or while it is in a loop. */
const fallsSilent = () => {
  browser.silent = ({ method, sessionId }) => sessionId === 'front' && method === 'Runtime.evaluate';
};
const startsNavigating = (navigationType = 'differentDocument', frameId = MAIN) => {
  fallsSilent();
  browser.tell(
    'Page.frameStartedNavigating',
    { frameId, url: 'https://a.test/', loaderId: LOADER, navigationType },
    'front',
  );
};
const sendsRequest = (request: object = {}) =>
  browser.tell(
    'Network.requestWillBeSent',
    { requestId: LOADER, loaderId: LOADER, frameId: MAIN, ...request },
    'front',
  );

const receivesDocument = () =>
  browser.tell(
    'Network.responseReceived',
    { requestId: LOADER, loaderId: LOADER, frameId: MAIN, type: 'Document' },
    'front',
  );

/** Returns the outcome of a call for which the time of a check passes. */
async function outcomeAfterCheck(force = false, milliseconds = 3_000): Promise<TabOutcome> {
  const outcome = driver.call('update', [1, { url: 'https://example.org/', ...(force && { force }) }]);
  await time.pass(milliseconds);
  return outcome;
}

describe('a call for a page whose web server is slow', () => {
  it('succeeds when the page has sent its request', async () => {
    act = () => {
      startsNavigating();
      sendsRequest();
    };
    assert.deepEqual(await outcomeAfterCheck(), DONE);
    assert.deepEqual(await outcomeAfterCheck(true), DONE);
    assert.deepEqual(ended, [], 'the page is not ended');
    assert.equal(browser.methods.at(-1), 'Network.disable');
  });

  it('succeeds if the page shows the document soon after the check', async () => {
    act = () => {
      startsNavigating();
      sendsRequest();
      receivesDocument();
    };
    const outcome = driver.call('update', [1, { url: 'https://example.org/' }]);
    await time.pass(3_000);
    browser.tell('Page.frameNavigated', { frame: { id: MAIN } }, 'front');
    assert.deepEqual(await outcome, DONE);
  });

  it('fails if the old page never shows the document, and succeeds by force', async () => {
    act = () => {
      startsNavigating();
      sendsRequest();
      receivesDocument();
    };
    assert.deepEqual(await outcomeAfterCheck(false, 5_000), { obstacle: 'unresponsive' });
    assert.deepEqual(ended, []);
    assert.deepEqual(await outcomeAfterCheck(true, 5_000), DONE);
    assert.deepEqual(ended, [7]);
  });

  it('fails if a listener of the old page loops before the request', async () => {
    act = () => startsNavigating();
    assert.deepEqual(await outcomeAfterCheck(), { obstacle: 'unresponsive' });
  });

  it('fails if only a frame or a part of the page sends a request', async () => {
    act = () => {
      startsNavigating();
      sendsRequest({ frameId: 'frame' });
      sendsRequest({ requestId: 'picture' });
    };
    assert.deepEqual(await outcomeAfterCheck(), { obstacle: 'unresponsive' });
  });
});

describe('a call for a page with a pending navigation', () => {
  beforeEach(async () => {
    startsNavigating();
    await settle();
  });

  it('does not wait for the silent page', async () => {
    act = () => browser.tell('Page.frameNavigated', { frame: { id: MAIN } }, 'front');
    const outcome = driver.call('update', [1, { url: 'https://example.org/' }]);
    assert.deepEqual(await outcome, DONE);
    assert.deepEqual(ended, []);
  });

  it('fails if the page also hangs, and succeeds by force', async () => {
    assert.deepEqual(await outcomeAfterCheck(), { obstacle: 'unresponsive' });
    assert.deepEqual(await outcomeAfterCheck(true), DONE);
    assert.deepEqual(ended, [7]);
  });

  it('reports the question whether to leave the page', async () => {
    const dialog = { type: 'beforeunload', url: '', frameId: MAIN, message: '', hasBrowserHandler: true };
    browser.tell('Page.javascriptDialogOpening', dialog, 'front');
    await settle();
    assert.deepEqual(await outcomeAfterCheck(), { obstacle: 'beforeunload' });
  });
});

describe('a pending navigation', () => {
  const isPending = () => {
    const page = pages.ofTarget(MAIN);
    assert.ok(page);
    return pages.navigations.of(page) !== undefined;
  };

  it('is one of the main frame to another document', async () => {
    startsNavigating('differentDocument', 'frame');
    startsNavigating('sameDocument');
    startsNavigating('historySameDocument');
    await settle();
    assert.equal(isPending(), false);
    startsNavigating('reload');
    await settle();
    assert.equal(isPending(), true);
  });

  for (const [name, method, params] of [
    ['shows its document', 'Page.frameNavigated', { frame: { id: MAIN } }],
    ['fails or becomes a download', 'Page.frameStoppedLoading', { frameId: MAIN }],
    ['loses its tab', 'Inspector.detached', { reason: 'target_closed' }],
  ] as const)
    it(`ends when it ${name}`, async () => {
      startsNavigating();
      await settle();
      const page = pages.ofTarget(MAIN);
      const end = page && pages.navigations.of(page);
      assert.ok(end);
      browser.tell('Page.frameStoppedLoading', { frameId: 'frame' }, 'front');
      browser.tell('Page.frameNavigated', { frame: { id: 'frame', parentId: MAIN } }, 'front');
      await settle();
      assert.ok(pages.navigations.of(page));
      if (method === 'Inspector.detached')
        browser.tell('Target.detachedFromTarget', { sessionId: 'front', targetId: MAIN });
      else browser.tell(method, params, 'front');
      await end;
      assert.equal(pages.navigations.of(page), undefined);
    });
});

describe('two calls for one page at the same time', () => {
  it('observe its requests until both have ended', async () => {
    const page = pages.ofTarget(MAIN);
    assert.ok(page);
    const disables = () => browser.methods.filter((method) => method === 'Network.disable').length;
    const [first, second] = [new RequestWatch(page, MAIN), new RequestWatch(page, MAIN)];
    first.close();
    await settle();
    assert.equal(disables(), 0);
    sendsRequest();
    await settle();
    const waits = [first, second].map((watch) => watch.isSlow(new Promise(() => undefined)));
    assert.deepEqual(await Promise.all(waits), [false, true]);
    second.close();
    await settle();
    assert.equal(disables(), 1);
  });
});

describe('the newest navigation of a page', () => {
  const MAIN_FRAME = { frame: { id: MAIN, url: 'https://a.test/' } };
  const newest = () => {
    const page = pages.ofTarget(MAIN);
    return page && pages.navigations.newest(page);
  };
  const told = async (method: string, params: object) => {
    browser.tell(method, params, 'front');
    await settle();
  };
  const begins = async () => {
    startsNavigating();
    await settle();
  };

  it('is another one for each document, also while a navigation is pending', async () => {
    assert.equal(newest(), undefined);
    await begins();
    const first = newest();
    await begins();
    assert.notEqual(newest(), first);
    const second = newest();
    startsNavigating('sameDocument');
    await settle();
    assert.equal(newest(), second);
    await told('Page.frameNavigated', MAIN_FRAME);
    assert.equal(second?.unchanged, undefined);
    await told('Page.frameStoppedLoading', { frameId: MAIN });
    assert.equal(second?.unchanged, undefined);
  });

  it('has no document if the web server sent none', async () => {
    await begins();
    await told('Page.frameStoppedLoading', { frameId: MAIN });
    assert.equal(newest()?.unchanged, 'no_document');
  });

  it('is a download, which the browser reports before or after the end of the navigation', async () => {
    const [download, stopped] = ['Page.downloadWillBegin', 'Page.frameStoppedLoading'];
    for (const [one, other] of [
      [download, stopped],
      [stopped, download],
    ] as const) {
      await begins();
      await told(one, { frameId: MAIN });
      await told(other, { frameId: MAIN });
      assert.equal(newest()?.unchanged, 'download');
    }
  });

  it('is no download if the page that it shows begins one', async () => {
    await begins();
    await told('Page.frameNavigated', MAIN_FRAME);
    await told('Page.downloadWillBegin', { frameId: MAIN });
    assert.equal(newest()?.unchanged, undefined);
  });
});
