import { sendKeys } from '@web/test-runner-commands';
import { Modifier } from '../../../src/protocol/index.js';
import { equal, ok } from './assert.js';
import { bench, key, keyWords, type Bench } from './harness.js';

const { shift, control } = Modifier;

describe('the keyboard', () => {
  let hand: Bench;
  beforeEach(() => {
    hand = bench();
    hand.input.focus();
  });
  afterEach(() => hand.close());

  it('sends the character of the layout and the physical key', () => {
    key(hand.field, 'keydown', { code: 'KeyQ', key: 'a' });
    key(hand.field, 'keyup', { code: 'KeyQ', key: 'a' });
    equal(
      hand.of('key').map(({ code, key, pressed }) => [code, key, pressed]),
      [
        ['KeyQ', 'a', true],
        ['KeyQ', 'a', false],
      ],
    );
  });

  it('says that Caps Lock is on, so that pages can warn about it', () => {
    const lock = { code: 'KeyA', key: 'A', modifierCapsLock: true };
    key(hand.field, 'keydown', lock);
    key(hand.field, 'keydown', { code: 'KeyB', key: 'b' });
    equal(
      hand.of('key').map(({ key, capsLock }) => [key, capsLock]),
      [
        ['A', true],
        ['b', undefined],
      ],
    );
  });

  it('sends real keys, and the text field stays empty', async () => {
    await sendKeys({ press: 'Shift+B' });
    await sendKeys({ press: 'Tab' });
    equal(keyWords(hand), ['+Shift/1', '+B/1', '-B/1', '-Shift', '+Tab', '-Tab']);
    ok(document.activeElement === hand.field, 'Tab went to the remote side');
    equal(hand.of('text'), []);
  });

  it('releases a key with the character of its press', () => {
    key(hand.field, 'keydown', { code: 'Digit1', key: '!', shiftKey: true });
    key(hand.field, 'keyup', { code: 'Digit1', key: '1' });
    equal(keyWords(hand), [`+!/${shift}`, '-!']);
  });

  it('sends auto-repeat, and releases a key whose keyup was missed', () => {
    key(hand.field, 'keydown', { code: 'KeyA', key: 'a' });
    key(hand.field, 'keydown', { code: 'KeyA', key: 'a', repeat: true });
    key(hand.field, 'keydown', { code: 'KeyA', key: 'a' });
    equal(keyWords(hand), ['+a', '*a', '-a', '+a']);
  });

  it("blocks shortcuts of the browser and of the embedding page, except the element's own", () => {
    let seen = 0;
    const watch = () => seen++;
    document.addEventListener('keydown', watch);
    ok(key(hand.field, 'keydown', { code: 'KeyS', key: 's', ctrlKey: true }), 'Ctrl+S is taken');
    equal(seen, 0);
    ok(!key(hand.field, 'keydown', { code: 'F12', key: 'F12' }), 'F12 is left alone');
    ok(!key(hand.field, 'keydown', { code: 'CapsLock', key: 'CapsLock' }), 'CapsLock is left alone');
    document.removeEventListener('keydown', watch);
    equal(keyWords(hand), [`+s/${control}`]);
  });

  it('sends AltGr characters without modifiers, and cancels the Control that Windows adds', () => {
    key(hand.field, 'keydown', { code: 'ControlLeft', key: 'Control', ctrlKey: true });
    key(hand.field, 'keydown', { code: 'AltRight', key: 'AltGraph', ctrlKey: true, altKey: true });
    const held = { ctrlKey: true, altKey: true, modifierAltGraph: true };
    key(hand.field, 'keydown', { code: 'KeyE', key: '€', ...held });
    key(hand.field, 'keyup', { code: 'KeyE', key: '€', ...held });
    key(hand.field, 'keyup', { code: 'ControlLeft', key: 'Control' });
    key(hand.field, 'keyup', { code: 'AltRight', key: 'AltGraph' });
    equal(keyWords(hand), [`+Control/${control}`, '-Control', '+€', '-€']);
  });

  it('returns the focus to the page on Control, Alt and Shift together', () => {
    key(hand.field, 'keydown', { code: 'ControlLeft', key: 'Control', ctrlKey: true });
    key(hand.field, 'keydown', { code: 'AltLeft', key: 'Alt', ctrlKey: true, altKey: true });
    key(hand.field, 'keydown', {
      code: 'ShiftLeft',
      key: 'Shift',
      ctrlKey: true,
      altKey: true,
      shiftKey: true,
    });
    ok(document.activeElement !== hand.field, 'the field has lost the focus');
    equal(hand.sent.at(-1)?.type, 'release');
  });

  it('releases held keys when it loses the focus', () => {
    key(hand.field, 'keydown', { code: 'KeyA', key: 'a' });
    hand.field.blur();
    key(hand.field, 'keyup', { code: 'KeyA', key: 'a' });
    equal(
      hand.sent.map(({ type }) => type),
      ['key', 'release'],
    );
  });

  describe('of a Mac', () => {
    let mac: Bench;
    beforeEach(() => {
      mac = bench('mac');
      mac.input.focus();
    });
    afterEach(() => mac.close());

    it('maps Command to Control, and releases keys whose keyup macOS does not send', () => {
      key(mac.field, 'keydown', { code: 'MetaLeft', key: 'Meta', metaKey: true });
      key(mac.field, 'keydown', { code: 'KeyA', key: 'a', metaKey: true });
      key(mac.field, 'keyup', { code: 'MetaLeft', key: 'Meta' });
      equal(keyWords(mac), [`+Control/${control}`, `+a/${control}`, `-a/${control}`, '-Control']);
    });

    it('sends Option characters without modifiers', () => {
      key(mac.field, 'keydown', { code: 'KeyL', key: '@', altKey: true });
      equal(keyWords(mac), ['+@']);
    });

    it('sends Control with a letter unchanged, because pages use it', () => {
      key(mac.field, 'keydown', { code: 'KeyD', key: 'd', ctrlKey: true });
      key(mac.field, 'keyup', { code: 'KeyD', key: 'd', ctrlKey: true });
      equal(keyWords(mac), [`+d/${control}`, `-d/${control}`]);
    });

    it('moves by words with Option, and to the ends of a line with Command', () => {
      key(mac.field, 'keydown', { code: 'ArrowLeft', key: 'ArrowLeft', altKey: true });
      key(mac.field, 'keyup', { code: 'ArrowLeft', key: 'ArrowLeft', altKey: true });
      key(mac.field, 'keydown', { code: 'ArrowRight', key: 'ArrowRight', metaKey: true, shiftKey: true });
      equal(keyWords(mac), [
        `+ArrowLeft/${control}`,
        `-ArrowLeft/${control}`,
        `+End/${shift}`,
        `-End/${shift}`,
      ]);
    });
  });
});
