import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FrameWatch } from '../../../../server/src/host/browser/pages/watch/frame-watch.js';
import { MISSED_LOOKS, WATCH_INTERVAL_MS } from '../../../../server/src/platform/process/watchdog.js';
import { FakeBrowser, type Command } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const UNTIL_TOLD = MISSED_LOOKS + 1;

let browser: FakeBrowser;
let clock: ManualClock;
let hangs: number;
let others: () => Promise<unknown>;
let front: string;
let watch: FrameWatch;
beforeEach(() => {
  [browser, clock, hangs, front] = [new FakeBrowser(), new ManualClock(), 0, 'one'];
  others = () => Promise.resolve();
  watch = new FrameWatch({
    pages: {
      front: () => Promise.resolve(browser.cdp.session(front)),
      mainFrame: ({ id }) => `frame-${id}`,
    },
    clock,
    othersAnswer: () => others(),
    onHang: () => (hangs += 1),
  });
});
afterEach(() => {
  watch.close();
  browser.cdp.close();
});

/** Lets messages pass through the pipe. */
async function settle(): Promise<void> {
  for (let count = 0; count < 16; count++) await turn();
}

async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look++) {
    clock.advance(WATCH_INTERVAL_MS);
    await settle();
  }
}

const isFrame = ({ method, params }: Command) =>
  method === 'Runtime.evaluate' && String(params['expression']).includes('requestAnimationFrame');
const questions = () => browser.commands.filter(isFrame);
const answerFrames = () => {
  for (const { id, sessionId } of questions())
    browser.say(JSON.stringify({ id, sessionId, result: { result: { value: true } } }));
};

describe('the GPU process', () => {
  it('is not reported while it draws frames, and is checked in an isolated world', async () => {
    await looks(3 * UNTIL_TOLD);
    assert.equal(hangs, 0);
    assert.ok(questions().length > 10);
    assert.ok(questions().every(({ params }) => params['contextId'] === 7));
    assert.equal(browser.methods.filter((method) => method === 'Page.createIsolatedWorld').length, 1);
  });

  it('is reported once if it draws no frame, and again only after it has drawn one', async () => {
    browser.silent = isFrame;
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 1);
    await looks(3 * UNTIL_TOLD);
    assert.equal(hangs, 1);
    answerFrames();
    await settle();
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 2);
  });

  it('is not reported if the page itself does not answer, for example in a loop', async () => {
    browser.silent = ({ method }) => method === 'Runtime.evaluate';
    await looks(UNTIL_TOLD + 3);
    assert.equal(hangs, 0);
  });

  it('is not reported if the browser or the display does not answer', async () => {
    browser.silent = isFrame;
    others = () => new Promise(() => undefined);
    await looks(UNTIL_TOLD + 3);
    assert.equal(hangs, 0);
  });

  it('is not reported while a dialog blocks the page', async () => {
    browser.silent = isFrame;
    await looks(2);
    const dialog = { url: '', message: 'Stay?', type: 'alert', hasBrowserHandler: true };
    browser.tell('Page.javascriptDialogOpening', dialog, 'one');
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 0);
  });

  it('is not reported if the frame arrives during the check', async () => {
    browser.silent = isFrame;
    others = () => {
      answerFrames();
      return settle();
    };
    await looks(UNTIL_TOLD);
    assert.equal(hangs, 0);
  });

  it('is checked through another page when that becomes visible, and again after a navigation', async () => {
    await looks(3);
    browser.tell('Page.frameNavigated', { frame: { id: 'frame-one' } }, 'one');
    await looks(2);
    front = 'two';
    // The first page says that it is hidden.
    browser.silent = (command) => isFrame(command) && command.sessionId === 'one';
    await looks(1);
    for (const { id, sessionId } of questions().filter((command) => command.sessionId === 'one'))
      browser.say(JSON.stringify({ id, sessionId, result: { result: { value: false } } }));
    await settle();
    await looks(3);
    assert.equal(questions().at(-1)?.sessionId, 'two');
    const worlds = browser.commands.filter(({ method }) => method === 'Page.createIsolatedWorld');
    assert.deepEqual(
      worlds.map(({ sessionId }) => sessionId),
      ['one', 'one', 'two'],
    );
  });

  it('is not checked after the watch is closed', async () => {
    watch.close();
    await looks(3);
    assert.equal(questions().length, 0);
    assert.equal(clock.pending, 0);
  });
});
