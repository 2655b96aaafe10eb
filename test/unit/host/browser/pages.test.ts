import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { dropContent } from '../../../../server/src/host/browser/files/drop-files.js';
import { AndroidEmulation } from '../../../../server/src/host/browser/pages/emulation/android-emulation.js';
import { BrowserFiles } from '../../../../server/src/host/browser/files/browser-files.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

/** Follows the pages of a browser, by default of one with tabs. */
const follow = (browser: FakeBrowser, changes: Partial<Parameters<typeof Pages.follow>[1]> = {}) =>
  Pages.follow(browser.cdp, { emulation: undefined, pinch: false, kiosk: false, maxPages: 50, ...changes });
const turns = async (count: number) => {
  for (let nth = 0; nth < count; nth++) await turn();
};
/** Sessions of the pages that were closed. */
const closedIn = ({ commands }: FakeBrowser) =>
  commands.filter(({ method }) => method === 'Page.close').map(({ sessionId }) => sessionId);

/** Commands that a page must have accepted before users see it. */
const PREPARED = new Set([
  'Emulation.setDeviceMetricsOverride',
  'Emulation.setEmitTouchEventsForMouse',
  'Emulation.setTouchEmulationEnabled',
  'Emulation.setUserAgentOverride',
  'Page.addScriptToEvaluateOnNewDocument',
  'Page.enable',
  'Page.setInterceptFileChooserDialog',
  'Runtime.addBinding',
]);

describe('Pages', () => {
  it('opens the first address only after the page has its emulation', async () => {
    const browser = new FakeBrowser();
    const emulation = await AndroidEmulation.create(browser.cdp);
    browser.silent = ({ method }) => method === 'Emulation.setUserAgentOverride';
    const pages = await follow(browser, { emulation });
    const opened = pages.open('https://example.com/');
    await turns(5);
    assert.ok(browser.methods.includes('Emulation.setUserAgentOverride'));
    assert.ok(!browser.methods.includes('Page.navigate'));
    browser.speak();
    await opened;
    assert.ok(browser.methods.includes('Page.navigate'));
  });

  it('removes the empty page from the history when another page has replaced it', async (test) => {
    const time = new PassingTime();
    test.after(() => time.restore());
    const browser = new FakeBrowser();
    browser.history = [{ id: 1, url: 'about:blank' }];
    const pages = await follow(browser);
    const removals = () =>
      browser.methods.filter((method) => method === 'Page.resetNavigationHistory').length;
    browser.refuse = ({ method }) => method === 'Page.resetNavigationHistory';
    const opened = pages.open('https://example.com/');
    await time.pass(100);
    const refused = removals();
    assert.ok(refused > 1, 'it is removed again after the browser refused');
    browser.refuse = () => false;
    await time.pass(100);
    const kept = removals();
    assert.ok(kept > refused + 1, 'it is removed again while the history still has it');
    browser.history = [{ id: 2, url: 'https://example.com/' }];
    await time.pass(50);
    await opened;
    const removed = removals();
    await time.pass(10_000);
    assert.equal(removals(), removed);
    browser.cdp.close();
  });

  it('opens an address that does not replace the empty page, for example of a download', async (test) => {
    const time = new PassingTime();
    test.after(() => time.restore());
    const browser = new FakeBrowser();
    browser.history = [{ id: 1, url: 'about:blank' }];
    const pages = await follow(browser);
    const opened = pages.open('https://example.com/file.zip');
    await time.pass(10_000);
    await opened;
    browser.cdp.close();
  });

  it('prepares a page again that crashed before it was prepared', async () => {
    const browser = new FakeBrowser();
    const emulation = await AndroidEmulation.create(browser.cdp);
    browser.silent = ({ sessionId }) => sessionId === 'front';
    await follow(browser, { emulation, files: new BrowserFiles(browser.cdp, undefined), kiosk: true });
    await settle();
    const prepared = () =>
      browser.commands
        .filter(({ method, sessionId }) => sessionId === 'front' && PREPARED.has(method))
        .map(({ method, params }) => JSON.stringify([method, params]))
        .sort();
    const first = prepared();
    assert.ok([...PREPARED].every((method) => first.some((command) => command.includes(`"${method}"`))));
    browser.commands.length = 0;
    browser.tell('Inspector.targetCrashed', {}, 'front');
    await settle();
    assert.deepEqual(prepared(), []);
    browser.tell('Inspector.targetReloadedAfterCrash', {}, 'front');
    await settle();
    assert.deepEqual(prepared(), first);
  });

  it('knows that a page has crashed until it shows another document', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    const page = pages.ofTarget('target-front');
    assert.ok(page);
    const frame = (parentId?: string) => ({ frame: { id: 'x', parentId } });
    for (const [event, params] of [
      ['Inspector.targetReloadedAfterCrash', {}],
      ['Page.frameNavigated', frame()],
    ] as const) {
      assert.equal(pages.crashes.has(page), false);
      browser.tell('Inspector.targetCrashed', {}, 'front');
      browser.tell('Page.frameNavigated', frame('parent'), 'front');
      await turns(3);
      assert.equal(pages.crashes.has(page), true);
      browser.tell(event, params, 'front');
      await turns(3);
    }
    assert.equal(pages.crashes.has(page), false);
  });

  it('finds the page that prints, also if it is in the background or a frame prints', async () => {
    const browser = new FakeBrowser();
    const files = new BrowserFiles(browser.cdp, undefined);
    const setup = { emulation: undefined, files, pinch: false, kiosk: false, maxPages: 50 };
    const pages = await Pages.follow(browser.cdp, setup);
    browser.attach('frame', 'iframe', 'hidden');
    await settle();
    browser.attach('inner', 'iframe', 'frame');
    await settle();
    const printed: unknown[] = [];
    files.onPrint = (session) => printed.push(pages.pageOf(session)?.id);
    const binding = browser.commands.find(
      ({ params }) => 'name' in params && params['executionContextName'] === 'session-print',
    );
    const call = { name: binding?.params['name'], payload: '' };
    for (const session of ['front', 'hidden', 'frame', 'inner'])
      browser.tell('Runtime.bindingCalled', call, session);
    await settle();
    assert.deepEqual(printed, ['front', 'hidden', 'hidden', 'hidden']);
    const [hidden] = pages.all;
    browser.tell('Target.detachedFromTarget', { sessionId: 'hidden' });
    await settle();
    assert.equal(hidden && pages.pageOf(hidden), undefined);
  });

  it('reports additional pages, and not the first one', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser, { kiosk: true });
    const opened: string[] = [];
    pages.onOpened = (target) => opened.push(target);
    for (const session of ['third', 'fourth']) browser.attach(session, 'page');
    await turn();
    assert.deepEqual(opened, ['target-third', 'target-fourth']);
  });

  it('reports when users may see another page: opened, closed, or with another document', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    await turn();
    let replaced = 0;
    pages.onReplaced = () => (replaced += 1);
    browser.attach('third', 'page');
    await turn();
    assert.equal(replaced, 1);
    browser.tell('Page.frameNavigated', { frame: { id: 'inner', parentId: 'target-third' } }, 'third');
    await turn();
    assert.equal(replaced, 1, 'a frame inside the page');
    browser.tell('Page.frameNavigated', { frame: { id: 'target-third' } }, 'third');
    await turn();
    assert.equal(replaced, 2);
    browser.tell('Target.detachedFromTarget', { sessionId: 'third' });
    await settle();
    assert.equal(replaced, 3);
  });

  it('reports links to programs, at most one in a while', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    let links = 0;
    pages.onProgramLink = () => (links += 1);
    await turn();
    const [binding] = browser.commands.filter(
      ({ method, params }) => method === 'Runtime.addBinding' && params['executionContextName'] === 'session',
    );
    const call = { name: binding?.params['name'], payload: '' };
    browser.tell('Runtime.bindingCalled', { ...call, name: 'another' }, binding?.sessionId);
    await turn();
    assert.equal(links, 0);
    for (let i = 0; i < 3; i++) browser.tell('Runtime.bindingCalled', call, binding?.sessionId);
    await turn();
    assert.equal(links, 1);
  });

  it('closes a page above the maximum, whoever opened it', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser, { maxPages: 3 });
    let [refused, opened] = [0, 0];
    pages.onRefused = () => (refused += 1);
    pages.onOpened = () => (opened += 1);
    assert.equal(pages.full, undefined);
    for (const session of ['third', 'fourth']) browser.attach(session, 'page');
    await turn();
    assert.deepEqual([refused, opened, pages.full], [1, 1, 3]);
    await turn();
    assert.deepEqual(closedIn(browser), ['fourth']);
    assert.equal(pages.ofTarget('target-fourth'), undefined);
  });

  for (const kiosk of [true, false]) {
    it(
      kiosk ? 'denies all permission requests in a kiosk' : 'leaves the clipboard to users with tabs',
      async () => {
        const browser = new FakeBrowser();
        await follow(browser, { kiosk });
        await turn();
        const denied = browser.commands.filter(({ method }) => method === 'Browser.setPermission');
        assert.match(JSON.stringify(denied), /"midi"/);
        assert.equal(JSON.stringify(denied).includes('clipboard-read'), kiosk);
      },
    );

    it(
      kiosk ? 'closes pages of the browser itself in a kiosk' : 'leaves them to users with tabs',
      async () => {
        const browser = new FakeBrowser();
        await follow(browser, { kiosk });
        const navigated = (page: string, frame: object) =>
          browser.tell('Page.frameNavigated', { frame: { id: 'x', ...frame } }, page);
        const blocked = { url: 'chrome-error://chromewebdata/', unreachableUrl: 'chrome://downloads/' };
        browser.attach('new', 'page', undefined, 'chrome://history/');
        navigated('front', blocked);
        navigated('hidden', { id: 'y', url: 'chrome://newtab/' });
        navigated('hidden', { ...blocked, parentId: 'x' });
        await turns(5);
        assert.deepEqual(closedIn(browser), kiosk ? ['new', 'front'] : []);
      },
    );
  }

  for (const history of [true, false])
    it(`${history ? 'goes back' : 'closes it'} when a kiosk's own page became such a page`, async () => {
      const browser = new FakeBrowser();
      if (history)
        browser.history = [
          { id: 1, url: 'https://example.com/' },
          { id: 2, url: 'chrome://downloads/' },
        ];
      await follow(browser, { kiosk: true });
      browser.tell('Page.frameNavigated', { frame: { id: 'x', url: 'chrome://downloads/' } }, 'hidden');
      await turns(8);
      const went = browser.commands.find(({ method }) => method === 'Page.navigateToHistoryEntry');
      assert.deepEqual(
        went && [went.sessionId, went.params],
        history ? ['hidden', { entryId: 1 }] : undefined,
      );
      assert.deepEqual(closedIn(browser), history ? [] : ['hidden']);
    });

  it('receives no files at a position that a page does not report', async () => {
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    const isPlace = ({ params }: { params: object }) =>
      'expression' in params && String(params.expression).includes('screenX');
    browser.silent = isPlace;
    const dropped = dropContent(pages, { x: 1, y: 1 }, { items: [], files: ['/file'] });
    await turns(8);
    const asked = browser.commands.find(isPlace);
    // A page can set `devicePixelRatio` to NaN. The browser sends NaN as null.
    const result = { result: { value: [0, 100, null, null] } };
    browser.say(JSON.stringify({ id: asked?.id, result, sessionId: 'front' }));
    assert.equal(await dropped, undefined);
  });

  it('that does not answer while files are dragged over it gets the end of the drag', async (test) => {
    const time = new PassingTime();
    test.after(() => time.restore());
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    browser.silent = ({ params }) => params['type'] === 'dragOver';
    const dropped = dropContent(pages, { x: 1, y: 101 }, { items: [], files: ['/file'] });
    await settle();
    await time.pass(1_000);
    assert.equal(await dropped, undefined);
    await settle();
    const drags = browser.commands.filter(({ method }) => method === 'Input.dispatchDragEvent');
    const types = drags.map(({ params }) => params['type']);
    assert.deepEqual(types, ['dragEnter', 'dragOver', 'dragCancel']);
  });

  it('finds the front page for input, although the extension does not answer', async (test) => {
    const time = new PassingTime();
    test.after(() => time.restore());
    const browser = new FakeBrowser();
    const pages = await follow(browser);
    const { emulatedFocus } = pages;
    emulatedFocus.set('target-front', {}, true);
    const answers: ((target: string) => void)[] = [];
    emulatedFocus.findFront = () => new Promise((resolve) => answers.push(resolve));
    const found: unknown[] = [];
    const find = () => void pages.front().then((page) => found.push(page && pages.mainFrame(page)));
    find();
    await time.pass(250);
    assert.deepEqual(found, ['target-front']);
    find();
    await settle();
    // It does not wait again.
    assert.deepEqual([found, answers.length], [['target-front', 'target-front'], 1]);
    answers[0]?.('target-hidden');
    await settle();
    find();
    answers[1]?.('target-hidden');
    await settle();
    assert.deepEqual(found, ['target-front', 'target-front', 'target-hidden']);
    find();
    await time.pass(250);
    assert.equal(found.at(-1), 'target-hidden', 'the last answer counts while the next one is late');
  });
});
