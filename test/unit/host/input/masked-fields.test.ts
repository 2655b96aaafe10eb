import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FocusWatch, KNOWN_WITHIN_MS } from '../../../../server/src/host/browser/focus/focus-watch.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { MaskedFields } from '../../../../server/src/host/input/fields/masked-fields.js';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { TypingHold } from '../../../../server/src/host/input/keyboard/typing-hold.js';
import { UserInput, type UserEvent } from '../../../../server/src/host/input/user-input.js';
import { FakeBrowser, NO_FIELD, type Command } from '../../../fakes/fake-browser.js';
import { inputParts } from '../../../fakes/input-parts.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const MASKS = [{ matches: ['*'], selectors: ['.secret'] }];
const at = { seq: 1, modifiers: 0, x: 100, y: 300 };
const press: UserEvent = { type: 'button', button: 0, pressed: true, ...at };
const text: UserEvent = { type: 'text', text: 'x', ...at };
const wheel: UserEvent = { type: 'wheel', deltaX: 0, deltaY: 120, notched: true, ...at };
const key = (code: string, name: string): UserEvent => ({
  ...{ type: 'key', code, key: name, pressed: true, repeat: false, ...at },
});
const MASKED = { ...NO_FIELD, kind: 'text', masked: true };

let time: PassingTime;
let browser: FakeBrowser;
let display: string[];
let devices: InputDevices;
let watch: FocusWatch;
let refused: string[];
beforeEach(() => {
  time = new PassingTime();
  browser = new FakeBrowser();
  display = [];
  refused = [];
});
afterEach(() => {
  watch.close();
  browser.cdp.close();
  time.restore();
});

/** A session that masks fields. */
async function start(): Promise<void> {
  watch = new FocusWatch('', MASKS);
  const setup = { emulation: undefined, focus: watch, pinch: false, kiosk: true, maxPages: 5 };
  const pages = await Pages.follow(browser.cdp, setup);
  await settle();
  const parts = inputParts(browser.cdp, pages, display);
  devices = Object.assign(parts, { masked: new MaskedFields(watch, parts.sync) });
}

function user(name: 'guest' | 'owner' | 'program'): UserInput {
  const onRefused = () => refused.push(name);
  const rights = { mayWrite: () => name === 'owner', onRefused, hold: new TypingHold() };
  return new UserInput(devices, { ...rights, isProgram: name === 'program' });
}

/** A user without the role in a session that masks fields. */
async function startGuest(): Promise<UserInput> {
  await start();
  return user('guest');
}

/** Milliseconds until an event was processed or refused. */
async function perform(who: UserInput, event: UserEvent, limit = 1_000): Promise<number> {
  const done: string[] = [];
  who.handle(event, () => done.push('done'));
  const began = performance.now();
  await settle();
  while (done.length === 0 && performance.now() - began < limit) await time.pass(50);
  assert.ok(done.length > 0, 'it keeps others waiting');
  return performance.now() - began;
}

const orders = () =>
  browser.commands
    .map(({ params }) => /\.(open|close)\(/.exec(String(params['expression']))?.[1])
    .filter((order) => order !== undefined);
const inserted = () => browser.methods.filter((method) => method === 'Input.insertText').length;

describe('an invalid selector', () => {
  it('is reported once, also to a later listener and without a message of the page', async () => {
    browser.focus = { ...NO_FIELD, invalid: 'input:early' };
    await start();
    const heard: string[] = [];
    watch.onInvalid = (selector) => heard.push(selector);
    assert.deepEqual(heard, ['input:early']);
    await watch.focus();
    browser.focus = { ...NO_FIELD, invalid: 'input:late' };
    await watch.focus();
    assert.deepEqual(heard, ['input:early', 'input:late']);
  });
});

describe('input without the role', () => {
  it('is accepted without delay if no masked field has the focus', async () => {
    await start();
    assert.equal(await perform(user('guest'), text), 0);
    assert.equal(inserted(), 1);
    assert.deepEqual([orders(), refused], [[], []]);
  });

  it('is refused if a masked field has the focus, with a notice for its user', async () => {
    await start();
    browser.focus = MASKED;
    await perform(user('guest'), text);
    assert.equal(inserted(), 0);
    assert.deepEqual(refused, ['guest']);
  });

  it('is refused if it would paste into a masked field, and does not reach the clipboard', async () => {
    await start();
    browser.focus = MASKED;
    const done: string[] = [];
    const data = new Map([['text/plain', Buffer.from('x')]] as const);
    const paste = { type: 'paste', transfer: 1, code: 'KeyV', key: 'v', ...at, modifiers: 2 } as const;
    user('guest').paste(paste, data, () => done.push('done'));
    while (done.length < 1) await time.pass(50);
    assert.deepEqual([refused, display], [['guest'], []]);
    browser.focus = NO_FIELD;
    user('guest').paste(paste, data, () => done.push('done'));
    while (done.length < 2) await time.pass(50);
    assert.ok(display.includes('key 9 down'));
  });

  it('is refused at the position of a masked field', async () => {
    await start();
    browser.focus = { ...NO_FIELD, under: true };
    await perform(user('guest'), press);
    assert.ok(!display.includes('button 1 down'));
    assert.deepEqual(refused, ['guest']);
  });

  it('can leave a masked field with Tab, and scroll over it', async () => {
    const guest = await startGuest();
    browser.focus = { ...MASKED, under: true };
    await perform(guest, key('Tab', 'Tab'));
    await perform(guest, wheel);
    assert.deepEqual(refused, []);
    browser.focus = { ...MASKED, kind: 'number' };
    await perform(guest, wheel);
    assert.deepEqual(refused, ['guest']);
  });

  for (const [what, event] of Object.entries({ text, press }))
    it(`is refused within 100 ms if the browser never answers, and at once from then on: ${what}`, async () => {
      const guest = await startGuest();
      browser.silent = ({ method }) => method === 'Runtime.evaluate';
      assert.equal(await perform(guest, event), KNOWN_WITHIN_MS);
      assert.equal(await perform(guest, event), 0);
      assert.deepEqual(refused, ['guest', 'guest']);
      assert.ok(!display.includes('button 1 down') && inserted() === 0);
    });

  for (const method of [
    'Page.addScriptToEvaluateOnNewDocument',
    'Page.createIsolatedWorld',
    'Page.getFrameTree',
  ])
    it(`is refused within 100 ms if ${method} is never answered`, async () => {
      browser.silent = (command) => command.method === method;
      const starting = start();
      await time.pass(6_000);
      await starting;
      const guest = user('guest');
      assert.ok((await perform(guest, text)) <= KNOWN_WITHIN_MS);
      assert.equal(await perform(guest, text), 0);
      assert.equal(inserted(), 0);
    });

  it('is accepted if a page that had not received the script has crashed', async () => {
    browser.silent = ({ method, sessionId }) =>
      method === 'Page.addScriptToEvaluateOnNewDocument' && sessionId === 'hidden';
    await start();
    browser.tell('Inspector.targetCrashed', {}, 'hidden');
    await settle();
    const guest = user('guest');
    await perform(guest, text);
    assert.deepEqual([inserted(), refused], [1, []]);
    browser.tell('Inspector.targetReloadedAfterCrash', {}, 'hidden');
    await settle();
    await perform(guest, text);
    // The page may show a document without the script.
    assert.deepEqual([inserted(), refused], [1, ['guest']]);
    browser.speak();
    await settle();
    await perform(guest, text);
    assert.equal(inserted(), 2);
  });

  it('is accepted again after the page has answered', async () => {
    const guest = await startGuest();
    browser.silent = ({ method }) => method === 'Runtime.evaluate';
    await perform(guest, press);
    browser.speak();
    await settle();
    await perform(guest, press);
    assert.equal(display.at(-1), 'button 1 down');
  });

  it('is rejected if its position cannot be checked, so that its caller does not wait', async () => {
    await start();
    const closed = () => Promise.reject(new Error('The display is gone.'));
    devices = { ...devices, masked: { join: () => undefined, admitsAt: closed } } as unknown as InputDevices;
    const drop = () => Promise.resolve(true);
    await assert.rejects(user('guest').inTurn({ x: 100, y: 300 }, drop), /The display is gone/);
  });

  it('reaches an open dialog of a page', async () => {
    await start();
    browser.focus = MASKED;
    const dialog = { type: 'alert', message: '', url: '' };
    for (const page of ['front', 'hidden']) browser.tell('Page.javascriptDialogOpening', dialog, page);
    await settle();
    await perform(user('guest'), press);
    assert.equal(display.at(-1), 'button 1 down');
  });
});

describe('the browser’s own interface, while a masked field has content', () => {
  const BROWSER = { ...NO_FIELD, focused: false, within: false };

  beforeEach(async () => {
    await start();
    browser.focus = BROWSER;
    browser.filled = [[0, 0, 10, 10]];
  });

  for (const [what, event] of Object.entries({ text, press, key: key('Enter', 'Enter') }))
    it(`accepts nothing from a program without the role, which does not see the field: ${what}`, async () => {
      const program = user('program');
      await perform(program, event);
      assert.deepEqual([display, inserted(), refused], [[], 0, ['program']]);
      browser.filled = [];
      await perform(program, press);
      await perform(program, event);
      assert.ok(display.includes('button 1 down'));
      assert.deepEqual(refused, ['program']);
    });

  it('can be left by a program with Tab and Escape', async () => {
    const program = user('program');
    await perform(program, key('Tab', 'Tab'));
    await perform(program, key('Escape', 'Escape'));
    assert.deepEqual([refused, display.includes('key 9 down')], [[], true]);
  });

  it('accepts input of people, who see the field', async () => {
    for (const name of ['guest', 'owner'] as const) await perform(user(name), press);
    assert.deepEqual(refused, []);
  });

  it('accepts nothing from a program if a page does not answer', async () => {
    browser.silent = ({ params }) => String(params['expression']).includes('.marks(');
    await perform(user('program'), text);
    assert.deepEqual([inserted(), refused], [0, ['program']]);
  });

  it('does not keep a program from the page', async () => {
    browser.focus = NO_FIELD;
    const program = user('program');
    await perform(program, press);
    await perform(program, text);
    assert.deepEqual([inserted(), refused], [1, []]);
  });
});

/** Makes the browser answer each command with the result of `focusOf`. */
function says(focusOf: (command: Command) => object): void {
  browser.silent = (command) => {
    browser.focus = focusOf(command);
    return false;
  };
}

describe('a second finger', () => {
  const first = { id: 1, x: 100, y: 300 };
  const second = { id: 2, x: 500, y: 300 };
  const touch = (...points: (typeof first)[]): UserEvent => ({
    ...{ type: 'touch', phase: 'start', points, seq: 1, modifiers: 0 },
  });
  const masks = (x: number) =>
    says(({ params }) => ({ ...NO_FIELD, under: String(params['expression']).includes(`look(${x},`) }));

  it('is refused on a masked field even if the first one is allowed', async () => {
    const guest = await startGuest();
    masks(second.x);
    await perform(guest, touch(first));
    await perform(guest, touch(first, second));
    assert.deepEqual(display, ['finger down']);
    assert.deepEqual(refused, ['guest']);
  });

  it('is refused when a masked field has moved below the first one', async () => {
    const guest = await startGuest();
    await perform(guest, touch(first));
    masks(first.x);
    await perform(guest, touch(first, second));
    assert.deepEqual(display, ['finger down']);
  });
});

describe('the check of one field', () => {
  it('keeps no object of the page', async () => {
    await start();
    assert.equal(await watch.isMaskedField(browser.cdp.session('front'), 'frame-front', 5), true);
    await settle();
    const resolved = browser.commands.find(({ method }) => method === 'DOM.resolveNode');
    const released = browser.commands.find(({ method }) => method === 'Runtime.releaseObjectGroup');
    assert.ok(resolved?.params['objectGroup']);
    assert.equal(released?.params['objectGroup'], resolved.params['objectGroup']);
  });
});

describe('a frame that loads late', () => {
  it('blocks all input only until it can be checked', async () => {
    const guest = await startGuest();
    browser.silent = ({ method }) => method === 'Page.createIsolatedWorld';
    browser.tell('Page.frameAttached', { frameId: 'late', parentFrameId: 'frame-front' }, 'front');
    await settle();
    assert.equal(await perform(guest, text), KNOWN_WITHIN_MS);
    assert.equal(await perform(guest, press), 0);
    assert.deepEqual([inserted(), display, refused], [0, [], ['guest', 'guest']]);
    browser.speak();
    await settle();
    // The refused press has blocked this user's typing.
    await perform(guest, press);
    await perform(guest, text);
    assert.equal(inserted(), 1);
  });

  it('has its masked field protected from its first check on', async () => {
    const guest = await startGuest();
    await perform(guest, text);
    says(({ sessionId }) => (sessionId === 'late' ? MASKED : { ...NO_FIELD, kind: 'frame' }));
    browser.attach('late', 'iframe', 'front');
    await settle();
    await perform(guest, text);
    assert.deepEqual([inserted(), refused], [1, ['guest']]);
  });

  it('blocks no user if it is removed before its check', async () => {
    const guest = await startGuest();
    browser.silent = ({ method }) => method === 'Page.createIsolatedWorld';
    browser.tell('Page.frameAttached', { frameId: 'late', parentFrameId: 'frame-front' }, 'front');
    browser.tell('Page.frameDetached', { frameId: 'late' }, 'front');
    await settle();
    assert.equal(await perform(guest, text), 0);
    assert.equal(inserted(), 1);
  });

  it('opens to users with the role as soon as possible', async () => {
    await start();
    await perform(user('owner'), text);
    const before = orders().length;
    browser.attach('late', 'iframe', 'front');
    await settle();
    assert.deepEqual(orders().slice(before), ['open']);
  });
});

describe('a field in a closed shadow tree', () => {
  const HIDDEN = { ...NO_FIELD, kind: 'rich', hidden: true };
  const opened = () =>
    browser.commands.filter(({ method, sessionId }) => method === 'DOM.describeNode' && sessionId === 'front')
      .length;

  it('is known before a user writes into it', async () => {
    const guest = await startGuest();
    says(() => (opened() > 0 ? MASKED : HIDDEN));
    await perform(guest, text);
    assert.deepEqual([opened(), inserted(), refused], [1, 0, ['guest']]);
  });

  it('accepts input of all users where it is not masked', async () => {
    await start();
    says(() => (opened() > 0 ? NO_FIELD : HIDDEN));
    await perform(user('guest'), text);
    assert.deepEqual([opened(), inserted(), refused], [1, 1, []]);
  });

  it('is found when the focus moves from tree to tree during the check', async () => {
    await start();
    says(() => (opened() > 2 ? MASKED : HIDDEN));
    await perform(user('guest'), text);
    assert.deepEqual([opened(), inserted(), refused], [3, 0, ['guest']]);
  });

  it('accepts no input if the trees never end or the browser does not report them in time', async () => {
    const guest = await startGuest();
    browser.focus = HIDDEN;
    await perform(guest, text);
    browser.silent = ({ method }) => method === 'DOM.describeNode';
    assert.equal(await perform(guest, text), KNOWN_WITHIN_MS);
    assert.deepEqual([inserted(), refused], [0, ['guest', 'guest']]);
  });
});

describe('input with the role', () => {
  it('opens the gates of frames once, and is not checked again', async () => {
    await start();
    browser.focus = MASKED;
    const owner = user('owner');
    await perform(owner, text);
    await perform(owner, text);
    await perform(owner, press);
    assert.deepEqual(orders(), ['open', 'open']);
    assert.equal(inserted(), 2);
  });

  it('keeps the gates open while it continues', async () => {
    await start();
    const owner = user('owner');
    for (let count = 0; count < 5; count++) {
      await perform(owner, press);
      await perform(owner, { ...press, pressed: false });
      await time.pass(2_000);
    }
    assert.ok(orders().length > 4);
    assert.ok(!orders().includes('close'));
  });

  it('is accepted even if no frame answers, and does not wait again', async () => {
    await start();
    browser.silent = ({ method }) => method === 'Runtime.evaluate';
    const owner = user('owner');
    assert.ok((await perform(owner, press)) <= KNOWN_WITHIN_MS + 50);
    assert.equal(await perform(owner, { ...press, pressed: false }), 0);
  });

  it('makes other users release their held keys first', async () => {
    await start();
    await perform(user('guest'), press);
    await perform(user('owner'), key('KeyX', 'x'));
    assert.deepEqual(display.slice(0, 3), ['move 100 300', 'button 1 down', 'button 1 up']);
  });
});

describe('two users in turn', () => {
  it('have the gates closed before the input without the role', async () => {
    await start();
    const [owner, guest] = [user('owner'), user('guest')];
    await perform(owner, press);
    await perform(guest, text);
    assert.deepEqual(orders(), ['open', 'open', 'close', 'close']);
    assert.equal(inserted(), 1);
    await perform(owner, text);
    assert.deepEqual(orders().slice(4), ['open', 'open']);
  });

  it('have input without the role refused only while a frame may be open', async () => {
    await start();
    const [owner, guest] = [user('owner'), user('guest')];
    await perform(owner, press);
    browser.silent = ({ params }) => String(params['expression']).includes('.close(');
    await perform(guest, text);
    assert.deepEqual([inserted(), refused], [0, ['guest']]);
    await time.pass(6_000);
    browser.speak();
    await settle();
    await perform(guest, text);
    assert.equal(inserted(), 1);
  });

  it('have input without the role refused while a frame may open late', async () => {
    await start();
    const [owner, guest] = [user('owner'), user('guest')];
    browser.silent = ({ params }) => String(params['expression']).includes('.open(');
    await perform(owner, press);
    await time.pass(60_000);
    browser.silent = ({ params }) => /\.(open|close)\(/.test(String(params['expression']));
    await perform(guest, text);
    assert.equal(inserted(), 0);
  });

  it('need no gate for pointer moves', async () => {
    await start();
    await perform(user('owner'), { type: 'move', ...at });
    assert.deepEqual(orders(), []);
  });
});
