import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TabDialog } from 'cloud-browser/protocol';
import {
  dialogAnswerOf,
  shownDialog,
  type BrowserCalls,
} from '../../../../server/src/host/features/computer/browser-calls.js';
import type { ComputerBrowser } from '../../../../server/src/host/features/computer/computer-browser.js';
import { PageReading } from '../../../../server/src/host/features/computer/page-reading.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

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

describe('the text of a page that a dialog blocks', () => {
  /** A page whose tree was not read before its dialog opened. */
  const reading = (masking: boolean) => {
    const waits: number[] = [];
    const pages = new PageReading(new ManualClock());
    const browser: ComputerBrowser = {
      ...{ openCamera: () => assert.fail(), maskedAreas: () => assert.fail() },
      accessibilityActions: { place: () => assert.fail(), perform: () => assert.fail() },
      accessibility: {
        ...{ masking, tree: undefined, want: () => undefined },
        whenComplete: (milliseconds) => Promise.resolve(waits.push(milliseconds) < 0),
      },
      devices: {
        sync: { settled: () => Promise.resolve() },
        pages: { front: () => Promise.resolve(undefined) },
      },
    };
    pages.use(browser);
    return { pages, waits };
  };

  it('is empty and incomplete, without a long wait', async () => {
    for (const masking of [false, true]) {
      const { pages, waits } = reading(masking);
      assert.deepEqual(await pages.text(() => false, true), {
        text: '',
        complete: false,
        url: '',
        title: '',
      });
      assert.deepEqual(waits, [100]);
    }
  });

  it('is refused if no dialog explains why the page does not answer', async () => {
    const { pages, waits } = reading(false);
    await assert.rejects(
      pages.text(() => false),
      { code: 'err_page_unresponsive' },
    );
    assert.deepEqual(waits, [5_000]);
  });

  it('needs a browser', () => {
    const { pages } = reading(false);
    pages.browserIsGone();
    assert.throws(() => pages.needBrowser(), { code: 'err_browser_unavailable' });
  });
});
