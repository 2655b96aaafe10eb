import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { RemoteField } from 'cloud-browser/protocol';
import { FieldWatch } from '../../../../server/src/host/browser/focus/field-watch.js';
import { MAX_REPORT_CHARS, readReport } from '../../../../server/src/host/browser/focus/field-report.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { FocusedFieldSource } from '../../../../server/src/host/input/fields/focused-field-source.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

/** The report of a frame without focus. */
const NOTHING = {
  ...{ focused: false, visible: true, depth: 0, turn: 0, kind: 'none', multiline: false, inForm: false },
  hints: { inputMode: '', enterKeyHint: '', autocapitalize: '', autocomplete: '' },
  ...{ rectangle: [0, 0, 0, 0], caret: null, scale: [1, 1], view: [0, 700, 600, 1, 0, 0, 390, 600] },
};
const FIELD = {
  ...{ ...NOTHING, focused: true, turn: 1, kind: 'email', inForm: true },
  ...{ rectangle: [10, 20, 200, 30], caret: [15, 25, 0, 20] },
};

let time: PassingTime;
let browser: FakeBrowser;
let watch: FieldWatch;
let focus: FocusedFieldSource;
let told: (RemoteField | undefined)[];
let inWindow: () => Promise<boolean>;
let script: () => Promise<string>;
let kiosk: boolean;
beforeEach(() => {
  time = new PassingTime();
  browser = new FakeBrowser();
  // The frame of the hidden page sends nothing.
  browser.focus = {};
  told = [];
  inWindow = () => Promise.resolve(false);
  script = () => Promise.resolve('');
  kiosk = false;
});
afterEach(() => {
  focus.close();
  browser.cdp.close();
  time.restore();
});

async function start(wanted = true): Promise<void> {
  watch = new FieldWatch(() => script());
  const setup = { emulation: undefined, fields: watch, pinch: false, kiosk, maxPages: 5 };
  const pages = await Pages.follow(browser.cdp, setup);
  focus = new FocusedFieldSource(watch, pages, { hasKeyboard: () => inWindow() }, browser.cdp.drops, kiosk);
  focus.onChange = (field) => told.push(field);
  await settle();
  if (wanted) focus.want(true);
  await settle();
}

/** Sends a report of the script in a frame. All frames of the fake browser have the same world id. */
function tell(message: object, session = 'front'): void {
  const name = bindings()[0]?.params['name'];
  const payload = JSON.stringify(message);
  browser.tell('Runtime.bindingCalled', { name, payload, executionContextId: 7 }, session);
}
/** Bindings through which the script reports. */
const bindings = () =>
  browser.commands.filter(
    ({ method, params }) =>
      method === 'Runtime.addBinding' && params['executionContextName'] === 'session-fields',
  );
/** Commands that add the script to all future documents. */
const scripts = () =>
  browser.commands
    .filter(({ params }) => params['worldName'] === 'session-fields' && 'runImmediately' in params)
    .map(({ sessionId }) => sessionId);
const report = (field: object, session?: string) => tell({ type: 'field', field }, session);
/** Sends a report, and lets the time pass in which viewers receive it. */
async function reported(field: object, session?: string): Promise<void> {
  report(field, session);
  await time.pass(100);
}
const inputModes = () => told.map((field) => field?.inputMode);

describe('the focused field', () => {
  it('is not searched before a viewer requests it', async () => {
    await start(false);
    assert.deepEqual(scripts(), []);
    assert.deepEqual(bindings(), []);
    focus.want(true);
    await settle();
    assert.deepEqual(scripts(), ['hidden', 'front']);
  });

  it('is searched at the next request after the script could not be read', async () => {
    await start(false);
    script = () => Promise.reject(new Error('Too many files are open.'));
    focus.want(true);
    await settle();
    assert.deepEqual(scripts(), []);
    script = () => Promise.resolve('');
    focus.want(true);
    focus.want(true);
    await settle();
    assert.deepEqual(scripts(), ['hidden', 'front']);
  });

  it('is also searched in later pages and frames', async () => {
    await start();
    browser.attach('popup', 'page');
    browser.attach('frame', 'iframe', 'front');
    browser.attach('worker', 'worker', 'front');
    await settle();
    const sessions = new Set(bindings().map(({ sessionId }) => sessionId));
    assert.deepEqual([...sessions], ['hidden', 'front', 'popup', 'frame']);
  });

  it('is no longer watched half a minute after the last request, and found again later', async () => {
    await start();
    focus.want(false);
    await time.pass(20_000);
    focus.want(true);
    await time.pass(40_000);
    assert.ok(!browser.methods.includes('Page.removeScriptToEvaluateOnNewDocument'));
    focus.want(false);
    await time.pass(31_000);
    assert.ok(browser.methods.includes('Page.removeScriptToEvaluateOnNewDocument'));
    assert.ok(browser.commands.some(({ params }) => String(params['expression']).includes('.stop()')));
    report(FIELD);
    await time.pass(1_000);
    assert.equal(told.length, 0);
    assert.equal(scripts().length, 2);
    focus.want(true);
    await settle();
    assert.equal(scripts().length, 4);
  });

  it('is reported at once to a user who requests it again', async () => {
    await start();
    await reported(FIELD);
    focus.want(false);
    await time.pass(1_000);
    focus.want(true);
    await time.pass(100);
    assert.deepEqual(inputModes(), ['email', undefined, 'email']);
  });

  it('is reported with its kind and its position on the screen', async () => {
    await start();
    await reported(FIELD);
    assert.deepEqual(told, [
      {
        ...{ id: 1, place: 'page', inputMode: 'email', enterKeyHint: 'go', capitals: 'none' },
        ...{ autocomplete: '', password: false, multiline: false },
        ...{ rectangle: [10, 120, 200, 30], caret: [15, 125, 0, 20] },
      },
    ]);
  });

  it('has its position also in moved and scaled frames, and in a zoomed page', async () => {
    await start();
    browser.attach('frame', 'iframe', 'front');
    await settle();
    const place = { rectangle: [100, 50, 200, 100], scale: [0.5, 0.5] };
    const frame = { ...NOTHING, focused: true, kind: 'frame', ...place };
    await reported({ ...frame, view: [0, 700, 600, 2, 40, 0, 195, 300] });
    assert.equal(told.length, 0);
    await reported({ ...FIELD, depth: 1 }, 'frame');
    assert.deepEqual(told[0]?.rectangle, [2 * (100 - 40 + 5), 100 + 2 * (50 + 10), 200, 30]);
  });

  it('is another one when focus returns, and the same one when it moves', async () => {
    await start();
    const turns = [
      [1, 10],
      [1, 30],
      [2, 30],
    ];
    for (const [turn, left] of turns) await reported({ ...FIELD, turn, rectangle: [left, 0, 5, 5] });
    const fields = told.map((field) => [field?.id, field?.rectangle?.[0]]);
    assert.deepEqual(fields, turns);
  });

  it('is none where typing is not possible', async () => {
    await start();
    await reported(FIELD);
    await reported({ ...FIELD, turn: 2, kind: 'toggle' });
    assert.deepEqual(inputModes(), ['email', undefined]);
  });

  it("is the browser's when one of its windows has the keyboard and no page does", async () => {
    await start();
    await reported(NOTHING);
    assert.equal(told.length, 0);
    inWindow = () => Promise.resolve(true);
    await reported({ ...NOTHING, turn: 1 });
    assert.deepEqual([told[0]?.place, told[0]?.inputMode], ['browser', 'url']);
    await reported({ ...FIELD, turn: 2 });
    assert.equal(told[1]?.place, 'page');
  });

  it("is the sign-in window's in a kiosk, which has no address bar, after a moment without the page's focus", async () => {
    kiosk = true;
    await start();
    inWindow = () => Promise.resolve(true);
    await reported(NOTHING);
    await reported({ ...FIELD, turn: 1 });
    await reported({ ...NOTHING, turn: 2 });
    assert.deepEqual(inputModes(), ['email']);
    await time.pass(500);
    assert.deepEqual(inputModes(), ['email', 'text']);
    const { place, capitals, rectangle } = told[1] ?? {};
    assert.deepEqual([place, capitals, rectangle], ['browser', 'none', null]);
    await reported({ ...FIELD, turn: 3 });
    assert.equal(told[2]?.place, 'page');
  });

  it("is the sign-in window's while the browser asks for a password before it opens an address", async () => {
    await start();
    inWindow = () => Promise.resolve(true);
    browser.unreachableUrl = 'https://example.com/';
    await reported(NOTHING);
    assert.deepEqual(inputModes(), ['url'], 'an error page with a text');
    browser.isEmpty = true;
    await reported({ ...NOTHING, turn: 1 });
    assert.deepEqual(inputModes(), ['url', 'text']);
    assert.equal(told[1]?.rectangle, null);
  });

  it('does not wait for a silent display', async () => {
    await start();
    inWindow = () => new Promise(() => undefined);
    await reported(NOTHING);
    await reported({ ...FIELD, turn: 2 });
    assert.equal(told[0]?.place, 'page');
  });

  it("is a dialog's while it has a text field, and none for other dialogs", async () => {
    await start();
    await reported(FIELD);
    const dialog = (type: string) => ({ type, message: '', url: '', defaultPrompt: '' });
    for (const [event, params] of [
      ['Opening', dialog('alert')],
      ['Closed', { result: true, userInput: '' }],
      ['Opening', dialog('prompt')],
    ] as const) {
      browser.tell(`Page.javascriptDialog${event}`, params, 'front');
      await time.pass(100);
    }
    const places = told.map((field) => field?.place);
    assert.deepEqual(places, ['page', undefined, 'page', 'browser']);
  });
});

describe('a page that reports too much, or nothing', () => {
  it('can move its focus a thousand times a second, viewers receive twenty', async () => {
    await start();
    for (let count = 0; count < 1_000; count++) {
      report({ ...FIELD, turn: count });
      if (count % 50 === 49) await time.pass(50);
    }
    await time.pass(200);
    assert.ok(told.length > 10 && told.length <= 25, `${told.length} tellings in a second`);
    const last = told.at(-1);
    report({ ...FIELD, turn: 999 });
    await time.pass(200);
    assert.equal(told.at(-1), last, 'the last one is what there is');
  });

  for (const method of [
    'Page.createIsolatedWorld',
    'Page.getFrameTree',
    'Runtime.evaluate',
    'DOM.describeNode',
  ])
    it(`blocks no user when ${method} is never answered for one frame`, async () => {
      await start(false);
      browser.attach('frame', 'iframe', 'front');
      await settle();
      browser.silent = (command) => command.method === method && command.sessionId === 'frame';
      focus.want(true);
      await settle();
      tell({ type: 'hidden' }, 'frame');
      tell({ type: 'hidden' }, 'frame');
      report(FIELD);
      await time.pass(100);
      assert.equal(told[0]?.inputMode, 'email');
      // The only frame has the keyboard. Its focused field is unknown, so none is reported.
      report({ ...NOTHING, focused: true, turn: 2, kind: 'frame' });
      await time.pass(100);
      assert.equal(told[1], undefined);
    });

  it('is ignored if its report is invalid', () => {
    assert.ok(readReport(FIELD));
    const wrong = [null, 1, 'field', [], {}, { ...FIELD, focused: 1 }, { ...FIELD, depth: -1 }];
    const wrongPlaces = [[1, 2, 3], [1, 2, 3, 'x'], [1, 2, 3, null], 'abcd', undefined];
    for (const value of [...wrong, ...wrongPlaces.map((rectangle) => ({ ...FIELD, rectangle }))])
      assert.equal(readReport(value), undefined, JSON.stringify(value));
    assert.equal(readReport({ ...FIELD, kind: 'no such' })?.kind, 'text');
    const far = readReport({ ...FIELD, rectangle: [1e300, -1e300, 0, 0] });
    assert.deepEqual(far?.rectangle, [1e6, -1e6, 0, 0]);
    const hints = { ...FIELD.hints, autocomplete: 'x'.repeat(1_000) };
    assert.equal(readReport({ ...FIELD, hints })?.hints.autocomplete.length, 64);
  });

  it('reports nothing if a text is too long', async () => {
    await start();
    report({ ...FIELD, more: 'x'.repeat(MAX_REPORT_CHARS) });
    tell([]);
    tell({ type: 'field' });
    await time.pass(200);
    assert.equal(told.length, 0);
  });

  it('is forgotten when it is closed', async () => {
    await start();
    await reported(FIELD);
    browser.tell('Target.detachedFromTarget', { sessionId: 'front' });
    await time.pass(100);
    assert.equal(told.at(-1), undefined);
    assert.equal(told.length, 2);
  });
});
