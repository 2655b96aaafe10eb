import type { RemoteField } from '../../../src/protocol/index.js';
import { equal, ok } from './assert.js';
import { bench, key, type Bench } from './harness.js';

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'email', enterKeyHint: 'next', capitals: 'none' },
  ...{ autocomplete: 'email', password: false, multiline: false },
  ...{ rectangle: [100, 200, 400, 40], caret: [160, 210, 0, 20] },
};

describe('a phone’s keyboard', () => {
  let hand: Bench;
  let opened: boolean[];
  /** The fingers on the screen. */
  const down = new Map<number, Touch>();
  beforeEach(() => {
    hand = bench();
    opened = [];
    down.clear();
    hand.input.softKeyboard.on('open', (open) => opened.push(open));
  });
  afterEach(() => hand.close());

  it('is not necessary: a DOM without a visual viewport takes input', () => {
    hand.close();
    const own = Object.getOwnPropertyDescriptor(window, 'visualViewport') ?? {};
    Reflect.deleteProperty(window, 'visualViewport');
    hand = bench();
    hand.input.softKeyboard.show();
    Object.defineProperty(window, 'visualViewport', own);
    ok(document.activeElement === hand.field, 'the surface has the keyboard');
  });

  const touch = (type: string, clientX: number, clientY: number, identifier = 1) => {
    const finger = new Touch({ identifier, target: hand.surface, clientX, clientY });
    if (type === 'touchend') down.delete(identifier);
    else down.set(identifier, finger);
    const touches = [...down.values()];
    hand.surface.dispatchEvent(
      new TouchEvent(type, { bubbles: true, cancelable: true, touches, changedTouches: [finger] }),
    );
  };
  const tap = (clientX: number, clientY: number) => {
    touch('touchstart', clientX, clientY);
    touch('touchend', clientX, clientY);
  };
  const local = () => {
    const field = document.activeElement;
    ok(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement, 'a field has the focus');
    return field as HTMLInputElement;
  };

  it('opens with the kind of the remote field, and closes without a text field', () => {
    const { softKeyboard } = hand.input;
    tap(10, 10);
    equal([local().inputMode, opened], ['none', []]);
    softKeyboard.remote = FIELD;
    const { inputMode, enterKeyHint, autocomplete } = local();
    equal([inputMode, enterKeyHint, autocomplete], ['email', 'next', 'email']);
    softKeyboard.remote = { ...FIELD, id: 2, inputMode: 'none' };
    equal(local().inputMode, 'none');
    softKeyboard.remote = { ...FIELD, id: 3, inputMode: 'numeric' };
    equal(local().inputMode, 'numeric');
    softKeyboard.remote = undefined;
    equal(local().inputMode, 'none');
    equal(opened, [true, false, true, false]);
  });

  it('is a password keyboard for passwords, and its text is sent the same way', () => {
    tap(10, 10);
    hand.input.softKeyboard.remote = {
      ...FIELD,
      password: true,
      inputMode: 'text',
      autocomplete: 'current-password',
    };
    const secret = local();
    equal([secret.type, secret.inputMode, secret.autocomplete], ['password', 'text', 'one-time-code']);
    key(secret, 'keydown', { key: 'a', code: 'KeyA' });
    secret.dispatchEvent(
      new InputEvent('beforeinput', { inputType: 'insertText', data: 'b', bubbles: true }),
    );
    equal(
      hand.sent.flatMap((event) => ('key' in event ? event.key : 'text' in event ? event.text : [])),
      ['a', 'b'],
    );
    ok(!hand.sent.some(({ type }) => type === 'release'), 'nothing is let go of by the change');
    hand.input.softKeyboard.remote = { ...FIELD, id: 2 };
    equal(local().type, 'textarea');
  });

  it('offers no accounts of another site', () => {
    tap(10, 10);
    for (const autocomplete of ['username', 'current-password', 'cc-number', 'section-a name']) {
      hand.input.softKeyboard.remote = { ...FIELD, autocomplete };
      equal(local().autocomplete, 'off');
    }
  });

  it('stays closed after it was closed by a call, until the user taps the field or another field gets the focus', () => {
    const { softKeyboard } = hand.input;
    tap(10, 10);
    softKeyboard.remote = FIELD;
    softKeyboard.hide();
    equal([local().inputMode, opened], ['none', [true, false]]);
    softKeyboard.remote = { ...FIELD, caret: [170, 210, 0, 20] };
    equal(local().inputMode, 'none');
    tap(5, 290);
    equal(local().inputMode, 'none');
    tap(100, 110);
    equal(local().inputMode, 'email');
    softKeyboard.hide();
    softKeyboard.remote = { ...FIELD, id: 2 };
    equal(local().inputMode, 'email');
  });

  it('opens again after any tap while a field of the browser without a known place has the focus', () => {
    const { softKeyboard } = hand.input;
    tap(10, 10);
    softKeyboard.remote = { ...FIELD, place: 'browser', inputMode: 'text', rectangle: null, caret: null };
    softKeyboard.hide();
    equal(local().inputMode, 'none');
    tap(5, 290);
    equal([local().inputMode, opened], ['text', [true, false, true]]);
  });

  it('stays closed after the user closed it on the phone', () => {
    tap(10, 10);
    hand.input.softKeyboard.remote = FIELD;
    local().blur();
    equal(opened, [true, false]);
    tap(5, 290);
    equal(local().inputMode, 'none');
    tap(100, 110);
    equal(local().inputMode, 'email');
  });

  it('stays closed after a swipe or a pinch that ends in the field, but opens after an unsteady tap', () => {
    const { softKeyboard } = hand.input;
    tap(10, 10);
    softKeyboard.remote = FIELD;
    softKeyboard.hide();
    touch('touchstart', 100, 250);
    touch('touchmove', 100, 110);
    touch('touchend', 100, 110);
    equal(local().inputMode, 'none');
    touch('touchstart', 100, 110);
    touch('touchstart', 150, 110, 2);
    touch('touchend', 150, 110, 2);
    touch('touchend', 100, 110);
    equal(local().inputMode, 'none');
    touch('touchstart', 100, 110);
    touch('touchmove', 104, 112);
    touch('touchend', 104, 112);
    equal([local().inputMode, opened], ['email', [true, false, true]]);
  });

  it('opens by a button, whatever has the focus', () => {
    const { softKeyboard } = hand.input;
    softKeyboard.show();
    equal(local().inputMode, 'text');
    softKeyboard.hide();
    equal(local().inputMode, 'none');
  });

  it('does not take the focus from the embedding page', () => {
    const other = document.body.appendChild(document.createElement('input'));
    tap(10, 10);
    other.focus();
    hand.input.softKeyboard.remote = FIELD;
    equal(document.activeElement, other);
    equal(opened, []);
    other.remove();
  });

  it('does not open for a mouse', () => {
    hand.input.softKeyboard.remote = FIELD;
    hand.input.focus();
    equal(opened, []);
  });

  it('requests remote fields only for touch and input methods', () => {
    hand.input.focus();
    key(local(), 'keydown', { key: 'a', code: 'KeyA' });
    equal(hand.asked, []);
    key(local(), 'keydown', { key: 'Process', code: 'KeyA' });
    equal(hand.asked, [true]);
    hand.input.close();
    equal(hand.asked.at(-1), false);
  });
});

describe('the local field', () => {
  let hand: Bench;
  beforeEach(() => (hand = bench()));
  afterEach(() => hand.close());
  const box = () => {
    const { left, top, height } = hand.field.getBoundingClientRect();
    return [left, top, height];
  };

  it('is at the remote caret, with its height', () => {
    hand.input.softKeyboard.remote = FIELD;
    equal(box(), [80, 105, 10]);
    hand.input.softKeyboard.remote = { ...FIELD, caret: [260, 214, 0, 40] };
    equal(box(), [130, 107, 20]);
  });

  it('is at the remote field without a known caret, and does not move without a known field', () => {
    hand.input.softKeyboard.remote = { ...FIELD, caret: null };
    equal(box(), [50, 105, 10]);
    hand.input.softKeyboard.remote = { ...FIELD, id: 2, caret: null, rectangle: null };
    equal(box(), [50, 105, 10]);
  });

  it('stays inside the surface', () => {
    hand.input.softKeyboard.remote = { ...FIELD, caret: [9_000, -50, 0, 20] };
    equal(box(), [399, 0, 10]);
  });
});
