import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FocusWatch } from '../../../../server/src/host/browser/focus/focus-watch.js';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { MaskedFields } from '../../../../server/src/host/input/fields/masked-fields.js';
import { TypingHold } from '../../../../server/src/host/input/keyboard/typing-hold.js';
import { UserInput, type UserEvent } from '../../../../server/src/host/input/user-input.js';
import { FakeBrowser, NO_FIELD } from '../../../fakes/fake-browser.js';
import { inputParts } from '../../../fakes/input-parts.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const MASKS = [{ matches: ['*'], selectors: ['.secret'] }];
const at = { seq: 1, modifiers: 0, x: 100, y: 300 };
const SHIFT = 1;
const CONTROL = 2;

const button = (pressed: boolean, number = 0): UserEvent => ({
  ...{ type: 'button', button: number, pressed, ...at },
});
const text = (value = 'x'): UserEvent => ({ type: 'text', text: value, ...at });
const compose = (value: string): UserEvent => ({ type: 'composition', text: value, ...at });
const touch = (phase: 'start' | 'move' | 'end' | 'cancel', ...places: number[]): UserEvent => ({
  type: 'touch',
  phase,
  points: places.map((x, id) => ({ id, x, y: 300 })),
  seq: 1,
  modifiers: 0,
});
const key = (code: string, modifiers = 0, pressed = true, repeat = false): UserEvent => ({
  type: 'key',
  code,
  key: code.replace(/^Key/, '').replace(/^(Shift|Control|Alt|Meta)(Left|Right)$/, '$1'),
  pressed,
  repeat,
  ...at,
  modifiers,
});

let time: PassingTime;
let browser: FakeBrowser;
let display: string[];
let devices: InputDevices;
let watch: FocusWatch;
let told: number;
let guest: UserInput;
let hold: TypingHold;
beforeEach(async () => {
  time = new PassingTime();
  browser = new FakeBrowser();
  display = [];
  told = 0;
  watch = new FocusWatch('', MASKS);
  const setup = { emulation: undefined, focus: watch, pinch: false, kiosk: false, maxPages: 5 };
  const pages = await Pages.follow(browser.cdp, setup);
  await settle();
  const parts = inputParts(browser.cdp, pages, display);
  devices = Object.assign(parts, { masked: new MaskedFields(watch, parts.sync) });
  hold = new TypingHold();
  guest = user();
});
afterEach(() => {
  watch.close();
  browser.cdp.close();
  time.restore();
});

const user = (mayWrite = false, own = hold) =>
  new UserInput(devices, { mayWrite: () => mayWrite, onRefused: () => (told += 1), hold: own });

async function perform(who: UserInput, ...events: UserEvent[]): Promise<void> {
  for (const event of events) {
    const done: string[] = [];
    who.handle(event, () => done.push('done'));
    await settle();
    for (let waited = 0; done.length === 0 && waited < 1_000; waited += 50) await time.pass(50);
    assert.equal(done.length, 1, 'it keeps others waiting');
  }
}

async function paste(who: UserInput): Promise<void> {
  const data = new Map([['text/plain', Buffer.from('secret')]] as const);
  const event = { type: 'paste', transfer: 1, code: 'KeyV', key: 'v', ...at, modifiers: CONTROL } as const;
  const done: string[] = [];
  who.paste(event, data, () => done.push('done'));
  for (let waited = 0; done.length === 0 && waited < 1_000; waited += 50) await time.pass(50);
  assert.equal(done.length, 1);
}

/** Input that was sent to pages. */
const inPages = () =>
  browser.commands
    .filter(({ method }) => /^Input\./.test(method))
    .map(({ method, params }) => `${method} ${String(params['text'] ?? params['type'])}`);
/** All entered input: keys and buttons of the display, touches, and input sent to pages. */
const entered = () => [...display.filter((line) => /^key|^button|^finger/.test(line)), ...inPages()];

/** The user presses a masked field. It is refused, and another field keeps the focus. */
async function refusedPress(press: UserEvent = button(true)): Promise<void> {
  browser.focus = { ...NO_FIELD, kind: 'text', under: true };
  await perform(guest, press);
  browser.focus = { ...NO_FIELD, kind: 'text' };
  assert.equal(told, 1);
  told = 0;
}

/** Ways to enter text into the focused field. */
const WAYS: Record<string, () => Promise<void>> = {
  'a key': () => perform(guest, key('KeyA')),
  'a key that repeats': () => perform(guest, key('KeyA'), key('KeyA', 0, true, true)),
  'a key with Shift': () => perform(guest, key('ShiftLeft', SHIFT), key('KeyA', SHIFT)),
  text: () => perform(guest, text()),
  'an input method': () => perform(guest, compose('か'), text('か')),
  'a cancelled composition': () => perform(guest, compose('か'), compose('')),
  'a paste': () => paste(guest),
  'Control+V': () => perform(guest, key('ControlLeft', CONTROL), key('KeyV', CONTROL)),
  'Shift+Insert': () => perform(guest, key('Insert', SHIFT)),
  'Control+X': () => perform(guest, key('KeyX', CONTROL)),
  'Control+L': () => perform(guest, key('KeyL', CONTROL), key('KeyA')),
  'Control+Tab, which shows another page': () => perform(guest, key('Tab', CONTROL), text()),
  Enter: () => perform(guest, key('Enter')),
  Delete: () => perform(guest, key('Delete')),
  Backspace: () => perform(guest, key('Backspace')),
  'an arrow key': () => perform(guest, key('ArrowDown')),
  F6: () => perform(guest, key('F6'), text()),
};

describe('after a refused press', () => {
  for (const [name, way] of Object.entries(WAYS))
    it(`nothing is entered by ${name}, and the user is notified`, async () => {
      await refusedPress();
      await way();
      assert.deepEqual(entered(), []);
      assert.ok(told > 0);
      assert.ok(hold.held);
    });

  it('a touch also blocks typing', async () => {
    await refusedPress(touch('start', 100));
    await perform(guest, touch('end'), text());
    assert.deepEqual(entered(), []);
  });

  it('a drop of files on a masked field also blocks typing', async () => {
    browser.focus = { ...NO_FIELD, under: true };
    assert.equal(await guest.inTurn({ x: 1, y: 1 }, () => Promise.resolve(true)), false);
    browser.focus = NO_FIELD;
    await perform(guest, text());
    assert.deepEqual(entered(), []);
    assert.equal(await guest.inTurn({ x: 1, y: 1 }, () => Promise.resolve(true)), true);
    assert.ok(hold.held, 'files that are dropped elsewhere move no focus');
  });

  it('an action that waits for its turn is refused when the user loses control', async () => {
    const never = guest.inTurn(undefined, () => new Promise<boolean>(() => undefined));
    const waiting = guest.inTurn(undefined, () => Promise.resolve(true));
    guest.giveUp();
    assert.equal(await waiting, false);
    void never;
  });

  it("the user's held keys are released, so that the display does not repeat them", async () => {
    await perform(guest, key('ControlLeft', CONTROL), key('KeyA', CONTROL));
    display.length = 0;
    await refusedPress();
    await settle();
    assert.deepEqual(entered().sort(), ['key 37 up', 'key 9 up']);
    display.length = 0;
    await perform(guest, key('KeyA', 0, true, true), key('KeyA', 0, false));
    assert.deepEqual(entered(), []);
  });

  it('modifier keys alone cause no notice', async () => {
    await refusedPress();
    await perform(guest, key('ShiftLeft', SHIFT), key('ShiftLeft', 0, false));
    assert.deepEqual([entered(), told], [[], 0]);
  });

  it("the user's new connection cannot type either", async () => {
    await refusedPress();
    guest.close();
    guest = user();
    await perform(guest, text(), key('KeyA'));
    assert.deepEqual(entered(), []);
  });

  it("another user can type, and does not enable the first user's typing", async () => {
    await refusedPress();
    const other = user(false, new TypingHold());
    await perform(other, text('other'), button(true), button(false));
    await perform(guest, text('guest'));
    await perform(other, text('other'));
    assert.deepEqual(inPages(), ['Input.insertText other', 'Input.insertText other']);
  });

  it("another user's composition is not committed by blocked keys", async () => {
    await refusedPress();
    await perform(user(false, new TypingHold()), compose('か'));
    await perform(guest, key('KeyA'), text());
    assert.deepEqual(entered(), ['Input.imeSetComposition か']);
  });

  it('a user who receives the role has to press the field again', async () => {
    await refusedPress();
    guest = user(true);
    await perform(guest, text());
    assert.deepEqual(entered(), []);
    await perform(guest, button(true), text());
    assert.deepEqual(entered(), ['button 1 down', 'Input.insertText x']);
  });
});

describe('typing is enabled again', () => {
  const GIVES_BACK: Record<string, UserEvent[]> = {
    'after a press elsewhere': [button(true), button(false)],
    'after a press of the right button': [button(true, 2), button(false, 2)],
    'after a tap': [touch('start', 100), touch('move', 105), touch('end')],
    'after Tab': [key('Tab')],
    'after Shift+Tab': [key('ShiftLeft', SHIFT), key('Tab', SHIFT)],
  };
  for (const [name, events] of Object.entries(GIVES_BACK))
    it(name, async () => {
      await refusedPress();
      await perform(guest, ...events, text());
      assert.equal(entered().at(-1), 'Input.insertText x');
    });

  const GIVES_NOTHING_BACK: Record<string, UserEvent[]> = {
    'the back button': [button(true, 3), button(false, 3)],
    'a finger that scrolls': [touch('start', 100), touch('move', 200), touch('end')],
    'two fingers': [touch('start', 100), touch('start', 100, 200), touch('end')],
    'a cancelled touch': [touch('start', 100), touch('cancel')],
    'the release of a button': [button(false)],
    'a wheel': [{ type: 'wheel', deltaX: 0, deltaY: 1, notched: true, ...at }],
    'a move': [{ type: 'move', ...at }],
    'the release of everything': [{ type: 'release', seq: 1, modifiers: 0 }],
  };
  for (const [name, events] of Object.entries(GIVES_NOTHING_BACK))
    it(`not after ${name}`, async () => {
      await refusedPress();
      await perform(guest, ...events);
      display.length = 0;
      await perform(guest, text());
      assert.deepEqual(entered(), []);
    });

  it('not for earlier input: a repeating key, or an input method that commits', async () => {
    await refusedPress();
    await perform(guest, key('KeyA'), compose('か'));
    await perform(guest, button(true), button(false));
    display.length = 0;
    await perform(guest, key('KeyA', 0, true, true), compose('かな'), text('かな'));
    assert.deepEqual(entered(), []);
    await perform(guest, key('KeyA', 0, false), text('new'));
    assert.deepEqual(entered(), ['Input.insertText new']);
  });

  it('with the same text as one that was committed before the refused press', async () => {
    await perform(guest, compose('か'));
    await refusedPress();
    await perform(guest, text('か'), button(true), text('か'));
    assert.equal(entered().filter((line) => line === 'Input.insertText か').length, 2);
  });
});

describe('a masked field that has the focus', () => {
  it('blocks typing, so that it does not go to the next focused field', async () => {
    browser.focus = { ...NO_FIELD, kind: 'text', masked: true };
    await perform(guest, text());
    browser.focus = NO_FIELD;
    await perform(guest, text());
    assert.deepEqual(entered(), []);
  });

  it('does not block typing permanently if the page was only slow', async () => {
    browser.silent = ({ method }) => method === 'Runtime.evaluate';
    await perform(guest, text());
    browser.speak();
    await settle();
    await perform(guest, text());
    assert.deepEqual(entered(), ['Input.insertText x']);
  });
});

describe('a masked field in a frame', () => {
  const PLACE = { ...NO_FIELD, kind: 'frame', inside: [10, 20] };

  it('is refused where the host finds it, at its place inside the frame', async () => {
    browser.frameBelow = 'late';
    browser.attach('late', 'iframe', 'front');
    browser.tell('Page.frameNavigated', { frame: { id: 'late', parentId: 'frame-front' } }, 'late');
    await settle();
    browser.silent = ({ params }) => {
      const inside = String(params['expression']).includes('lookInside(10, 20)');
      browser.focus = inside ? { ...NO_FIELD, under: true } : PLACE;
      return false;
    };
    await perform(guest, button(true), text());
    assert.deepEqual(entered(), []);
    assert.ok(hold.held);
  });

  it('is unknown if the page does not report its frame in time', async () => {
    browser.silent = ({ method }) => method === 'DOM.describeNode';
    browser.focus = PLACE;
    await perform(guest, button(true));
    assert.deepEqual([entered(), hold.held], [[], true]);
  });

  it('blocks the typing of the user who pressed if the frame itself refuses the press', async () => {
    const other = user(false, new TypingHold());
    await perform(guest, button(true), button(false));
    await perform(other, text('other'));
    const payload = JSON.stringify({ type: 'refused', press: true });
    const name = browser.commands.find(({ method }) => method === 'Runtime.addBinding')?.params['name'];
    browser.tell('Runtime.bindingCalled', { name, payload, executionContextId: 7 }, 'front');
    await settle();
    await perform(guest, text('guest'));
    await perform(other, text('other'));
    assert.deepEqual(inPages(), ['Input.insertText other', 'Input.insertText other']);
  });
});
