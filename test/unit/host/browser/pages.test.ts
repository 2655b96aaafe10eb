import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { dropFiles } from '../../../../server/src/host/browser/files/drop-files.js';
import { AndroidEmulation } from '../../../../server/src/host/browser/pages/emulation/android-emulation.js';
import { CdpConnection } from '../../../../server/src/host/browser/cdp/cdp-connection.js';
import { BrowserFiles } from '../../../../server/src/host/browser/files/browser-files.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

interface Command {
  id: number;
  method: string;
  sessionId?: string;
}

/** A browser with one page that answers on command. */
class SlowBrowser {
  readonly commands: Command[] = [];
  readonly #toBrowser = new PassThrough();
  readonly #fromBrowser = new PassThrough();
  readonly cdp = new CdpConnection(this.#toBrowser, this.#fromBrowser);
  /** Methods without an answer. */
  silent = new Set<string>();

  constructor() {
    this.#toBrowser.on('data', (data: Buffer) => {
      for (const text of data.toString().split('\0').filter(Boolean)) this.#take(JSON.parse(text) as Command);
    });
  }

  get methods(): string[] {
    return this.commands.map(({ method }) => method);
  }

  /** Sends the missing answers. */
  speak(): void {
    const owed = this.commands.filter(({ method }) => this.silent.has(method));
    this.silent.clear();
    for (const command of owed) this.#answer(command);
  }

  #take(command: Command): void {
    this.commands.push(command);
    if (command.method === 'Target.setAutoAttach' && !command.sessionId) {
      const targetInfo = { targetId: 'target', url: 'about:blank', type: 'page' };
      this.#say({ method: 'Target.attachedToTarget', params: { sessionId: 'page', targetInfo } });
    }
    if (!this.silent.has(command.method)) this.#answer(command);
  }

  #answer({ id, method, sessionId }: Command): void {
    const result = method === 'Browser.getVersion' ? { product: 'Chrome/156.0.1.2' } : {};
    this.#say({ id, result, ...(sessionId ? { sessionId } : {}) });
  }

  #say(message: object): void {
    // Never within the call that sends the command, as over a pipe.
    queueMicrotask(() => this.#fromBrowser.write(`${JSON.stringify(message)}\0`));
  }
}

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
    const browser = new SlowBrowser();
    const emulation = await AndroidEmulation.create(browser.cdp);
    browser.silent.add('Emulation.setUserAgentOverride');
    const pages = await Pages.follow(browser.cdp, { emulation, pinch: false, kiosk: false, maxPages: 50 });
    const opened = pages.open('https://example.com/');
    for (let i = 0; i < 5; i++) await turn();
    assert.ok(browser.methods.includes('Emulation.setUserAgentOverride'));
    assert.ok(!browser.methods.includes('Page.navigate'));
    browser.speak();
    await opened;
    assert.ok(browser.methods.includes('Page.navigate'));
  });

  it('prepares a page again that crashed before it was prepared', async () => {
    const browser = new FakeBrowser();
    const [emulation, files] = [
      await AndroidEmulation.create(browser.cdp),
      new BrowserFiles(browser.cdp, undefined),
    ];
    browser.silent = ({ sessionId }) => sessionId === 'front';
    const setup = { emulation, files, pinch: false, kiosk: true, maxPages: 50 };
    await Pages.follow(browser.cdp, setup);
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
    const binding = browser.commands.find(({ method }) => method === 'Runtime.addBinding');
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
    const pages = await Pages.follow(browser.cdp, {
      emulation: undefined,
      pinch: false,
      kiosk: true,
      maxPages: 50,
    });
    const opened: string[] = [];
    pages.onOpened = (target) => opened.push(target);
    for (const session of ['third', 'fourth']) browser.attach(session, 'page');
    await turn();
    assert.deepEqual(opened, ['target-third', 'target-fourth']);
  });

  it('closes a page above the maximum, whoever opened it', async () => {
    const browser = new FakeBrowser();
    const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 3 };
    const pages = await Pages.follow(browser.cdp, setup);
    let [refused, opened] = [0, 0];
    pages.onRefused = () => (refused += 1);
    pages.onOpened = () => (opened += 1);
    assert.equal(pages.full, undefined);
    for (const session of ['third', 'fourth']) browser.attach(session, 'page');
    await turn();
    assert.deepEqual([refused, opened, pages.full], [1, 1, 3]);
    await turn();
    const closed = browser.commands.filter(({ method }) => method === 'Page.close');
    assert.deepEqual(
      closed.map(({ sessionId }) => sessionId),
      ['fourth'],
    );
    assert.equal(pages.ofTarget('target-fourth'), undefined);
  });

  for (const kiosk of [true, false])
    it(
      kiosk ? 'denies permission requests in a kiosk' : 'leaves permission requests to users with tabs',
      async () => {
        const browser = new FakeBrowser();
        await Pages.follow(browser.cdp, { emulation: undefined, pinch: false, kiosk, maxPages: 50 });
        await turn();
        assert.equal(browser.methods.includes('Browser.setPermission'), kiosk);
      },
    );

  for (const kiosk of [true, false])
    it(
      kiosk ? 'closes pages of the browser itself in a kiosk' : 'leaves them to users with tabs',
      async () => {
        const browser = new FakeBrowser();
        await Pages.follow(browser.cdp, { emulation: undefined, pinch: false, kiosk, maxPages: 50 });
        const blocked = {
          id: 'x',
          url: 'chrome-error://chromewebdata/',
          unreachableUrl: 'chrome://downloads/',
        };
        browser.attach('new', 'page', undefined, 'chrome://history/');
        browser.tell('Page.frameNavigated', { frame: blocked }, 'front');
        browser.tell('Page.frameNavigated', { frame: { id: 'y', url: 'chrome://newtab/' } }, 'hidden');
        browser.tell('Page.frameNavigated', { frame: { ...blocked, parentId: 'x' } }, 'hidden');
        for (let i = 0; i < 5; i++) await turn();
        const closed = browser.commands.filter(({ method }) => method === 'Page.close');
        assert.deepEqual(
          closed.map(({ sessionId }) => sessionId),
          kiosk ? ['new', 'front'] : [],
        );
      },
    );

  for (const history of [true, false])
    it(`${history ? 'goes back' : 'closes it'} when a kiosk's own page became such a page`, async () => {
      const browser = new FakeBrowser();
      if (history)
        browser.history = [
          { id: 1, url: 'https://example.com/' },
          { id: 2, url: 'chrome://downloads/' },
        ];
      await Pages.follow(browser.cdp, { emulation: undefined, pinch: false, kiosk: true, maxPages: 50 });
      browser.tell('Page.frameNavigated', { frame: { id: 'x', url: 'chrome://downloads/' } }, 'hidden');
      for (let i = 0; i < 8; i++) await turn();
      const own = browser.commands.filter(({ sessionId }) => sessionId === 'hidden');
      const went = own.find(({ method }) => method === 'Page.navigateToHistoryEntry');
      assert.deepEqual(went?.params, history ? { entryId: 1 } : undefined);
      assert.equal(
        own.some(({ method }) => method === 'Page.close'),
        !history,
      );
    });

  it('receives no files at a position that a page does not report', async () => {
    const browser = new FakeBrowser();
    const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
    const pages = await Pages.follow(browser.cdp, setup);
    const isPlace = ({ params }: { params: object }) =>
      'expression' in params && String(params.expression).includes('screenX');
    browser.silent = isPlace;
    const dropped = dropFiles(pages, { x: 1, y: 1 }, ['/file']);
    for (let i = 0; i < 8; i++) await turn();
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
    const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
    const pages = await Pages.follow(browser.cdp, setup);
    browser.silent = ({ params }) => params['type'] === 'dragOver';
    const dropped = dropFiles(pages, { x: 1, y: 101 }, ['/file']);
    await settle();
    await time.pass(1_000);
    assert.equal(await dropped, undefined);
    await settle();
    const drags = browser.commands.filter(({ method }) => method === 'Input.dispatchDragEvent');
    assert.deepEqual(
      drags.map(({ params }) => params['type']),
      ['dragEnter', 'dragOver', 'dragCancel'],
    );
  });

  it('finds the front page for input, although the extension does not answer', async (test) => {
    const time = new PassingTime();
    test.after(() => time.restore());
    const browser = new FakeBrowser();
    const setup = { emulation: undefined, pinch: false, kiosk: false, maxPages: 50 };
    const pages = await Pages.follow(browser.cdp, setup);
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
    assert.deepEqual(
      [found, answers.length],
      [['target-front', 'target-front'], 1],
      'it does not wait again',
    );
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
