import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TabDialog } from 'cloud-browser/protocol';
import {
  dialogAnswerOf,
  shownDialog,
  type BrowserCalls,
} from '../../../../server/src/host/features/computer/browser-calls.js';
import type { ComputerBrowser } from '../../../../server/src/host/features/computer/computer-browser.js';
import { PageReading } from '../../../../server/src/host/features/computer/page/page-reading.js';
import { CdpSession } from '../../../../server/src/host/browser/cdp/cdp-session.js';
import { DropCounter } from '../../../../server/src/host/browser/cdp/drop-counter.js';
import { Dialogs } from '../../../../server/src/host/browser/pages/dialogs.js';
import { CrashedPages } from '../../../../server/src/host/browser/pages/watch/crashed-pages.js';
import { PendingNavigations } from '../../../../server/src/host/browser/pages/watch/pending-navigations.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { settle } from '../../../fakes/passing-time.js';

const url = 'https://example.com/';
const dialogOf = (tabId: number): TabDialog => ({
  ...{ tabId, type: 'prompt', message: 'Who?', defaultPrompt: 'Me', url },
});

/** The session's methods, with dialogs in some tabs. The tab 5 is active. */
const reader = (dialogs: TabDialog[]) => (method: string) =>
  Promise.resolve(method === 'dialogs.list' ? dialogs : [{ id: 5 }]);

describe('the dialog of a page', () => {
  it('is that of the active tab', async () => {
    assert.equal((await shownDialog(reader([dialogOf(4), dialogOf(5)])))?.tabId, 5);
    assert.equal(await shownDialog(reader([dialogOf(4)])), undefined);
    assert.equal(await shownDialog(reader([])), undefined);
  });

  it('is that of the window in front, if a page behind it has a dialog too', async () => {
    /** A page with the tab 5, and its popup with the tab 8 in front of it. */
    const readerOf =
      (dialogs: TabDialog[], front: { id: number }[]) => (method: string, args: readonly unknown[]) =>
        Promise.resolve(
          method === 'dialogs.list'
            ? dialogs
            : 'currentWindow' in Object(args[0])
              ? front
              : [{ id: 5 }, { id: 8 }],
        );
    const both = [dialogOf(5), dialogOf(8)];
    assert.equal((await shownDialog(readerOf(both, [{ id: 8 }])))?.tabId, 8);
    // The dialog may block the popup too, because both pages can have the same process.
    assert.equal((await shownDialog(readerOf([dialogOf(5)], [{ id: 8 }])))?.tabId, 5);
    assert.equal((await shownDialog(readerOf(both, [])))?.tabId, 5);
  });

  it('gets the answer of a program', async () => {
    const calls: unknown[] = [];
    const browser: BrowserCalls = {
      read: (role, method) => {
        calls.push(role);
        return reader([dialogOf(5)])(method);
      },
      act: (role, method, args) => Promise.resolve(void calls.push([role, method, ...args])),
    };
    await dialogAnswerOf({ accept: true, text: 'Ada' })(browser);
    assert.deepEqual(calls, [
      ...['chrome_apis', 'chrome_apis'],
      ['chrome_apis', 'dialogs.answer', 5, { accept: true, text: 'Ada' }],
    ]);
    const other = { ...browser, read: (_role: string, method: string) => reader([])(method) };
    await assert.rejects(dialogAnswerOf({ accept: false })(other), { code: 'err_call_failed' });
    for (const accept of [undefined, 'yes', 1])
      assert.throws(() => dialogAnswerOf({ accept }), { code: 'err_invalid_parameter' });
  });
});

describe('the text of a page that cannot answer', () => {
  const dialog = dialogOf(5);
  const { tabId: _tab, ...shownDialogOfPage } = dialog;
  const none = { text: '', complete: false, url: '', title: '' };

  /** A page whose tree was not read. Each read of the tree waits, and `onRead` is called for it. */
  const reading = (
    masking = false,
    onRead: (milliseconds: number) => Promise<void> = () => Promise.resolve(),
  ) => {
    const session = new CdpSession({ drops: new DropCounter(() => undefined), write: () => 1 }, 'page');
    const tell = (method: string, params: object) => session.take({ method, params: params as never });
    const [dialogs, navigations] = [new Dialogs(), new PendingNavigations()];
    dialogs.follow(session);
    navigations.follow(session, 'main');
    const waits: number[] = [];
    const clock = new ManualClock();
    const pages = new PageReading(clock);
    const browser: ComputerBrowser = {
      ...{ openCamera: () => assert.fail(), maskedAreas: () => assert.fail() },
      accessibilityActions: { place: () => assert.fail(), perform: () => assert.fail() },
      accessibility: {
        ...{ masking, tree: undefined, want: () => undefined },
        whenComplete: async (milliseconds) => {
          waits.push(milliseconds);
          await onRead(milliseconds);
          return false;
        },
      },
      devices: {
        sync: { settled: () => Promise.resolve() },
        pages: { front: () => Promise.resolve(session), dialogs, navigations, crashes: new CrashedPages() },
      },
    };
    pages.use(browser);
    return { pages, waits, tell, clock };
  };
  const opens = (tell: (method: string, params: object) => void) =>
    tell('Page.javascriptDialogOpening', { ...dialog, frameId: 'main', hasBrowserHandler: true });

  it('is empty and incomplete, without a long wait, while a dialog is open', async () => {
    for (const masking of [false, true]) {
      const { pages, waits } = reading(masking);
      const text = await pages.text(
        () => false,
        () => Promise.resolve(dialog),
      );
      assert.deepEqual(text, { ...none, dialog: shownDialogOfPage });
      assert.deepEqual(waits, [100]);
    }
  });

  it('has the dialog that opens while the page is read', async () => {
    let open: TabDialog | undefined;
    const { pages, waits, tell } = reading(false, (milliseconds) => {
      if (milliseconds === 100) return Promise.resolve();
      open = dialog;
      opens(tell);
      // The page does not answer, so the tree stays incomplete.
      return new Promise(() => undefined);
    });
    const text = await pages.text(
      () => false,
      () => Promise.resolve(open),
    );
    assert.deepEqual(text, { ...none, dialog: shownDialogOfPage });
    assert.deepEqual(waits, [5_000, 100]);
  });

  it('is read again when the dialog closes meanwhile', async () => {
    let open: TabDialog | undefined = dialog;
    const { pages, waits, tell } = reading(false, () => {
      if (open) tell('Page.javascriptDialogClosed', { result: true, userInput: '' });
      open = undefined;
      return Promise.resolve();
    });
    opens(tell);
    const text = pages.text(
      () => false,
      () => Promise.resolve(open),
    );
    await assert.rejects(text, { code: 'err_page_unresponsive' });
    assert.deepEqual(waits, [100, 5_000]);
  });

  it('says that the page waits for a web server, after a wait', async () => {
    const { pages, waits, tell, clock } = reading();
    tell('Page.frameStartedNavigating', { frameId: 'main', navigationType: 'differentDocument' });
    const text = pages.text(() => false);
    await settle();
    clock.advance(5_000);
    assert.deepEqual(await text, { ...none, loading: true });
    assert.deepEqual(waits, [100]);
  });

  it('is that of the new document if the web server answers in time', async () => {
    const { pages, waits, tell } = reading();
    tell('Page.frameStartedNavigating', { frameId: 'main', navigationType: 'differentDocument' });
    const text = pages.text(() => false);
    await settle();
    assert.deepEqual(waits, []);
    tell('Page.frameNavigated', { frame: { id: 'main' } });
    await assert.rejects(text, { code: 'err_page_unresponsive' });
    assert.deepEqual(waits, [5_000]);
  });

  it('is refused if nothing explains why the page does not answer', async () => {
    const { pages, waits } = reading();
    await assert.rejects(
      pages.text(() => false),
      { code: 'err_page_unresponsive' },
    );
    assert.deepEqual(waits, [5_000]);
  });

  it('needs a browser', () => {
    const { pages } = reading();
    pages.browserIsGone();
    assert.throws(() => pages.needBrowser(), { code: 'err_browser_unavailable' });
  });
});

describe('an action on a node of a page that cannot answer', () => {
  it('fails at once while a dialog is open, and after a wait while the page loads', async () => {
    const page = new CdpSession({ drops: new DropCounter(() => undefined), write: () => 1 }, 'page');
    const tell = (method: string, params: object) => page.take({ method, params: params as never });
    const [dialogs, navigations] = [new Dialogs(), new PendingNavigations()];
    dialogs.follow(page);
    navigations.follow(page, 'main');
    const clock = new ManualClock();
    const pages = new PageReading(clock);
    const accessibility = { tree: {}, want: () => undefined, whenComplete: () => Promise.resolve(true) };
    const crashes = new CrashedPages();
    const devices = { pages: { front: () => Promise.resolve(page), dialogs, navigations, crashes } };
    pages.use({ accessibility, devices } as unknown as ComputerBrowser);
    tell('Page.javascriptDialogOpening', { ...dialogOf(5), frameId: 'main', hasBrowserHandler: true });
    await assert.rejects(pages.nodes(), { code: 'err_dialog_open', message: /\(prompt\)/ });
    tell('Page.javascriptDialogClosed', { result: true, userInput: '' });
    await pages.nodes();
    tell('Page.frameStartedNavigating', { frameId: 'main', navigationType: 'differentDocument' });
    const late = assert.rejects(pages.nodes(), { code: 'err_node_gone', message: /waits for a web server/ });
    await settle();
    clock.advance(5_000);
    await late;
  });
});

describe('a wait for an opened address', () => {
  it('ends with the navigation, with the client or at its limit', async () => {
    const page = new CdpSession({ drops: new DropCounter(() => undefined), write: () => 1 }, 'page');
    const navigations = new PendingNavigations();
    navigations.follow(page, 'main');
    const clock = new ManualClock();
    const pages = new PageReading(clock);
    const devices = { pages: { front: () => Promise.resolve(page), navigations } };
    pages.use({ devices } as unknown as ComputerBrowser);
    assert.equal(await pages.isLoading(1_000), false);
    const tell = (method: string, params: object) => page.take({ method, params: params as never });
    tell('Page.frameStartedNavigating', { frameId: 'main', navigationType: 'reload' });
    assert.equal(await pages.isLoading(1_000, Promise.resolve()), true);
    const late = pages.isLoading(1_000);
    await settle();
    clock.advance(1_000);
    assert.equal(await late, true);
    const loaded = pages.isLoading(1_000);
    await settle();
    tell('Page.frameStoppedLoading', { frameId: 'main' });
    assert.equal(await loaded, false);
  });
});
