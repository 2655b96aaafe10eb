import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { PrintHook } from '../../../../server/src/host/browser/files/print-hook.js';
import type { Timer } from '../../../../server/src/platform/time/clock.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

type Listener = (event: object) => void;

/** Runs the script of the isolated world, and returns how to print and how many prints were reported. */
async function world(context: TestContext, globals: object = {}) {
  const reports = { count: 0 };
  const clock = new ManualClock();
  const browser = new FakeBrowser();
  context.after(() => browser.cdp.close());
  const [page, parent] = [browser.cdp.session('front'), browser.cdp.session('around')];
  const hook = new PrintHook(clock);
  hook.follow(page, parent, () => (reports.count += 1));
  // The viewer of a PDF in the page, and a frame of another site.
  for (const frame of ['viewer', 'other'])
    hook.follow(browser.cdp.session(frame), page, () => undefined, `around-${frame}`);
  await turn();
  const script = browser.commands.find(({ params }) => 'worldName' in params);
  const binding = browser.commands.find(({ method }) => method === 'Runtime.addBinding');
  const bound = String(binding?.params['name']);
  /** Listeners on the window, those of the page too, in their order. */
  const listeners: { type: string; listener: Listener; capture: boolean }[] = [];
  const listen = (type: string, listener: Listener, capture = false) =>
    void listeners.push({ type, listener, capture });
  const forget = (type: string, listener: Listener, capture = false) => {
    const index = listeners.findIndex(
      (one) => one.type === type && one.listener === listener && one.capture === capture,
    );
    if (index >= 0) listeners.splice(index, 1);
  };
  let timer: Timer | undefined;
  const clear = () => timer?.cancel();
  runInNewContext(String(script?.params['source']), {
    [bound]: (payload: string) => {
      if (payload === '') reports.count += 1;
      else browser.tell('Runtime.bindingCalled', { name: bound, payload, executionContextId: 7 }, 'front');
    },
    ...{ origin: 'https://example.com', document: { contentType: 'text/html' }, self: 1, top: 1 },
    location: { ancestorOrigins: [] },
    ...{ addEventListener: listen, removeEventListener: forget },
    setTimeout: (run: () => void, ms: number) => (timer = clock.setTimeout(run, ms)),
    clearTimeout: clear,
    performance: { now: () => clock.now() },
    ...globals,
  });
  const emit = (type: string, event: object) => {
    for (const capture of [true, false])
      for (const one of listeners.filter((heard) => heard.type === type && heard.capture === capture))
        one.listener(event);
  };
  // The last listener has the name of the event that the page's `window.print` sends.
  const name = listeners.find(({ type }) => !['keydown', 'click'].includes(type))?.type ?? '';
  /** Resolves to the sessions in which the host presses the button for saving. */
  const saves = async () => {
    await turn();
    const evaluated = browser.commands.filter(
      ({ method, params }) => method === 'Runtime.evaluate' && params['expression'] !== 'frameElement',
    );
    return evaluated.map(({ sessionId }) => sessionId);
  };
  return { browser, clock, clear, emit, listen, reports, saves, print: () => emit(name, {}) };
}

const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai';
const CONTROL_P = {
  ...{ ctrlKey: true, key: 'p', isTrusted: true, defaultPrevented: false },
  preventDefault: () => undefined,
};

test('a page that prints in a loop is reported at a limited rate', async (context) => {
  const { clock, print, reports } = await world(context);
  for (let count = 0; count < 1_000; count++) print();
  assert.equal(reports.count, 1);
  // The last print may be of a page that has changed.
  clock.advance(100);
  assert.deepEqual([reports.count, clock.pending], [2, 0]);
  clock.advance(100);
  print();
  assert.equal(reports.count, 3);
});

test('a page that clears all timers can print again', async (context) => {
  const { clear, clock, print, reports } = await world(context);
  print();
  print();
  clear();
  clock.advance(100);
  assert.equal(reports.count, 1);
  print();
  assert.equal(reports.count, 2);
});

test('Ctrl+P and the button for printing save the document of the PDF viewer', async (context) => {
  const { clock, emit, reports, saves } = await world(context, { origin: VIEWER });
  emit('keydown', CONTROL_P);
  assert.deepEqual(await saves(), ['front']);
  let stopped = 0;
  const click = (id: string) =>
    emit('click', {
      composedPath: () => [{ id }, {}],
      preventDefault: () => (stopped += 1),
      stopImmediatePropagation: () => (stopped += 1),
    });
  clock.advance(100);
  click('print');
  clock.advance(100);
  click('rotate');
  assert.deepEqual([await saves(), stopped, reports.count], [['front', 'front'], 2, 0]);
});

test('Ctrl+P on the picture of a PDF saves the document in the viewer around it', async (context) => {
  const location = { ancestorOrigins: [VIEWER, 'https://example.com'] };
  const { emit, reports, saves } = await world(context, { location });
  emit('keydown', CONTROL_P);
  assert.deepEqual([await saves(), reports.count], [['around'], 0]);
});

for (const key of ['p', 's'])
  test(`Ctrl+${key} prints the page, unless a listener on its window handles the key`, async (context) => {
    const { clock, emit, listen, reports } = await world(context);
    const event = { ...CONTROL_P, key };
    emit('keydown', { ...event });
    assert.equal(reports.count, 1);
    clock.advance(1_000);
    for (const other of [{ shiftKey: true }, { isTrusted: false }, { key: 'a' }])
      emit('keydown', { ...event, ...other });
    listen('keydown', (pressed) => Object.assign(pressed, { defaultPrevented: true }));
    for (let press = 0; press < 2; press++) emit('keydown', { ...event });
    assert.deepEqual([reports.count, clock.pending], [1, 0]);
  });

test('a PDF in a frame is saved by its viewer, and the page is printed if there is none', async (context) => {
  const globals = { document: { contentType: 'application/pdf' }, top: 2 };
  const { clock, print, reports, saves } = await world(context, globals);
  print();
  for (let attempt = 0; attempt < 100 && reports.count === 0; attempt++) {
    await saves();
    clock.advance(250);
  }
  // The newest frame is the first.
  assert.deepEqual((await saves()).slice(0, 3), ['other', 'viewer', 'other']);
  assert.equal(reports.count, 1);
});

test('of several PDFs, the one in the frame that prints is saved', async (context) => {
  const globals = { document: { contentType: 'application/pdf' }, top: 2 };
  const { browser, print, saves } = await world(context, globals);
  browser.silent = ({ method, params }) =>
    params['expression'] === 'frameElement' || method === 'DOM.describeNode';
  const answer = async (result: object) => {
    await turn();
    const { id, sessionId, params } = browser.commands.at(-1) ?? assert.fail('Nothing is asked.');
    browser.say(JSON.stringify({ id, result, sessionId }));
    return params;
  };
  print();
  const { contextId } = await answer({ result: { type: 'object', objectId: 'element' } });
  const { objectId } = await answer({ node: { frameId: 'around-viewer' } });
  assert.deepEqual([contextId, objectId], [7, 'element']);
  assert.deepEqual(await saves(), ['viewer']);
});
