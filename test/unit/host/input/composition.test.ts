import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Modifier } from 'cloud-browser/protocol';
import { Pages } from '../../../../server/src/host/browser/pages/pages.js';
import { KEYCODE_OF } from '../../../../server/src/host/input/keyboard/key-codes.js';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { TypingHold } from '../../../../server/src/host/input/keyboard/typing-hold.js';
import { UserInput, type UserEvent } from '../../../../server/src/host/input/user-input.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { inputParts } from '../../../fakes/input-parts.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';

const at = { seq: 1, modifiers: 0, x: 10, y: 20 };
const text = (value: string): UserEvent => ({ type: 'text', text: value, ...at });
const compose = (value: string): UserEvent => ({ type: 'composition', text: value, ...at });
const key = (code: string, pressed = true): UserEvent => ({
  type: 'key',
  code,
  key: code,
  pressed,
  repeat: false,
  ...at,
});
const press: UserEvent = { type: 'button', button: 0, pressed: true, ...at };
const touch: UserEvent = {
  type: 'touch',
  phase: 'start',
  points: [{ id: 1, x: 1, y: 1 }],
  seq: 1,
  modifiers: 0,
};

let time: PassingTime;
let browser: FakeBrowser;
let display: string[];
let devices: InputDevices;
beforeEach(async () => {
  time = new PassingTime();
  browser = new FakeBrowser();
  display = [];
  const pages = await Pages.follow(browser.cdp, {
    emulation: undefined,
    pinch: false,
    kiosk: true,
    maxPages: 5,
  });
  await settle();
  devices = inputParts(browser.cdp, pages, display);
});
afterEach(() => {
  browser.cdp.close();
  time.restore();
});

const user = () =>
  new UserInput(devices, { mayWrite: () => true, onRefused: () => undefined, hold: new TypingHold() });

async function perform(who: UserInput, ...events: UserEvent[]): Promise<void> {
  for (const event of events) {
    const done: string[] = [];
    who.handle(event, () => done.push('done'));
    await settle();
    for (let waited = 0; done.length === 0 && waited < 2_000; waited += 50) await time.pass(50);
    assert.equal(done.length, 1, 'it keeps others waiting');
  }
}

/** The texts that pages received. Unfinished ones begin with a tilde. */
const written = () =>
  browser.commands
    .filter(({ method }) => method === 'Input.insertText' || method === 'Input.imeSetComposition')
    .map(({ method, params }) => `${method === 'Input.insertText' ? '' : '~'}${String(params['text'])}`);

describe('a modifier that another user holds', () => {
  const shift = { modifiers: Modifier.shift };
  const pressed = `key ${KEYCODE_OF.get('ShiftLeft')} down`;
  const released = `key ${KEYCODE_OF.get('ShiftLeft')} up`;

  it('does not change a touch, and comes back with the next key of its user', async () => {
    const [who, other] = [user(), user()];
    await perform(other, { ...key('ShiftLeft'), ...shift });
    await perform(who, touch);
    assert.deepEqual(display, [pressed, released, 'finger down']);
    await perform(other, { ...key('F5'), ...shift });
    assert.equal(display[3], pressed);
  });

  it('does not change text that is typed into a field of the browser, and neither does Caps Lock', async () => {
    const [who, other] = [user(), user()];
    await perform(other, { ...key('ShiftLeft'), ...shift });
    // The address bar has the focus, not a page.
    browser.refuse = ({ params }) => String(params['expression']).includes('hasFocus');
    await perform(who, text('a'));
    assert.deepEqual(display, [pressed, released, 'lock off', 'key 9 down', 'key 9 up']);
  });

  it('stays pressed for text that a page receives', async () => {
    const [who, other] = [user(), user()];
    await perform(other, { ...key('ShiftLeft'), ...shift });
    await perform(who, text('a'));
    assert.deepEqual([written(), display], [['a'], [pressed]]);
  });
});

describe('text that a user composes', () => {
  for (const [what, event] of Object.entries({ 'a key': key('Enter'), 'a button': press, 'a finger': touch }))
    it(`is committed before ${what} of the same user`, async () => {
      const who = user();
      await perform(who, compose('か'));
      display.push(...written());
      browser.silent = ({ method }) => method === 'Input.insertText';
      who.handle(event, () => undefined);
      await settle();
      assert.deepEqual([written(), display], [['~か', 'か'], ['~か']], 'the event waits');
      await time.pass(300);
      assert.ok(display.length > 1, 'and no longer than input waits');
    });

  it("is committed before another user's text, which does not replace it", async () => {
    const [who, other] = [user(), user()];
    await perform(who, compose('か'));
    await perform(other, text('y'));
    assert.deepEqual(written(), ['~か', 'か', 'y']);
  });

  it('is committed when its user disconnects', async () => {
    const who = user();
    await perform(who, compose('か'));
    who.close();
    await settle();
    assert.deepEqual(written(), ['~か', 'か']);
  });

  it('is not inserted again by its own input method on the next connection of its user', async () => {
    const rights = { mayWrite: () => true, onRefused: () => undefined, hold: new TypingHold() };
    const [lost, next] = [new UserInput(devices, rights), new UserInput(devices, rights)];
    await perform(lost, compose('か'));
    lost.close();
    await settle();
    await perform(next, text('か'), text('か'));
    assert.deepEqual(written(), ['~か', 'か', 'か']);
  });

  it("continues through its user's own composition, its end, moves, wheels and modifiers", async () => {
    const who = user();
    const wheel: UserEvent = { type: 'wheel', deltaX: 0, deltaY: 120, notched: true, ...at };
    await perform(
      who,
      compose('か'),
      { type: 'move', ...at },
      wheel,
      key('ShiftLeft'),
      key('ShiftLeft', false),
    );
    await perform(who, compose('かん'), text('漢'), key('Enter'));
    assert.deepEqual(written(), ['~か', '~かん', '漢']);
  });

  it('that was withdrawn is not committed', async () => {
    await perform(user(), compose('か'), compose(''), press);
    assert.deepEqual(written(), ['~か', '~']);
  });

  it('is not inserted again after the page or the browser has committed it', async () => {
    const who = user();
    await perform(who, compose('か'));
    browser.composes = false;
    await perform(who, press);
    assert.deepEqual(written(), ['~か']);
  });

  it('is not inserted again by its own input method, which commits it later', async () => {
    const who = user();
    await perform(who, compose('か'), press, text('か'), text('か'));
    assert.deepEqual(written(), ['~か', 'か', 'か']);
  });

  it('stays unchanged if the page does not answer, without blocking others', async () => {
    const who = user();
    await perform(who, compose('か'));
    browser.silent = ({ method }) => method === 'Runtime.callFunctionOn';
    await perform(who, press);
    assert.deepEqual(written(), ['~か']);
    assert.ok(display.includes('button 1 down'));
  });

  it('is also found in frames of other processes', async () => {
    browser.attach('frame', 'iframe', 'front');
    await settle();
    browser.refuse = ({ sessionId, params }) =>
      sessionId !== 'frame' && String(params['expression']).includes('compositionend');
    const who = user();
    await perform(who, compose('か'), press);
    const [asked] = browser.commands.filter(({ method }) => method === 'Runtime.callFunctionOn');
    assert.equal(asked?.sessionId, 'frame');
    assert.deepEqual(written(), ['~か', 'か']);
  });
});
