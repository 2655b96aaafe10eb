import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PageWatch } from '../../../../server/src/host/browser/pages/watch/page-watch.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const UNTIL_TOLD = MISSED_LOOKS + 1;

let browser: FakeBrowser;
let clock: ManualClock;
let hangs: number;
let watch: PageWatch;
beforeEach(() => {
  [browser, clock, hangs] = [new FakeBrowser(), new ManualClock(), 0];
  const front = browser.cdp.session('only');
  const pages = { front: () => Promise.resolve(front) };
  watch = new PageWatch(pages, browser.cdp.browser, clock, () => (hangs += 1));
});
afterEach(() => {
  watch.close();
  browser.cdp.close();
});

/** Lets messages pass through the pipe. */
async function settle(): Promise<void> {
  for (let count = 0; count < 8; count++) await turn();
}

async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    clock.advance(WATCH_INTERVAL_MS);
    await settle();
  }
}

const asked = () => browser.methods.filter((method) => method === 'Runtime.evaluate').length;
const hang = () => (browser.silent = ({ method }) => method === 'Runtime.evaluate');

describe('a page', () => {
  it('without user input is not checked', async () => {
    hang();
    await looks(2 * UNTIL_TOLD);
    assert.equal(asked(), 0);
    assert.equal(hangs, 0);
  });

  it('that answers its user is not reported', async () => {
    for (let look = 0; look < 2 * UNTIL_TOLD; look++) {
      watch.acted();
      await looks(1);
    }
    assert.ok(asked() > 0);
    assert.equal(hangs, 0);
  });

  it('that does not answer is reported once, and again only after it has answered', async () => {
    hang();
    watch.acted();
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 1);
    watch.acted();
    await looks(2 * UNTIL_TOLD);
    assert.equal(hangs, 1);
    const question = browser.commands.findLast(({ method }) => method === 'Runtime.evaluate');
    assert.ok(question);
    browser.answer(question);
    await settle();
    watch.acted();
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 2);
  });

  it('is not reported when its browser does not answer either', async () => {
    browser.silent = () => true;
    watch.acted();
    await looks(UNTIL_TOLD);
    const refusals = browser.commands.filter(({ method }) => method === 'Browser.getVersion');
    assert.equal(refusals.length, 1);
    browser.cdp.close();
    await settle();
    assert.equal(hangs, 0);
  });

  it('with a dialog is not reported, also when the dialog opened after the check began', async () => {
    hang();
    watch.acted();
    await looks(2);
    const dialog = { url: '', message: 'Stay?', type: 'alert', hasBrowserHandler: true };
    browser.tell('Page.javascriptDialogOpening', dialog, 'only');
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 0);
  });
});
