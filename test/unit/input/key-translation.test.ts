import assert from 'node:assert/strict';
import { it } from 'node:test';
import { translateKey, type KeyState } from '../../../src/input/keyboard/key-translation.js';
import { Modifier } from '../../../src/protocol/index.js';

const NONE = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

/** Translates a press of a key. */
function pressed(key: string, code: string, held: Partial<KeyState> = {}) {
  const event = {
    ...NONE,
    keyCode: 0,
    isComposing: false,
    getModifierState: () => false,
    key,
    code,
    ...held,
  };
  return translateKey(event, 'other');
}

it('a shortcut with a letter of another script is the shortcut of its position', () => {
  const ctrlKey = true;
  const modifiers = Modifier.control;
  assert.deepEqual(pressed('м', 'KeyV', { ctrlKey }), {
    handling: 'paste',
    code: 'KeyV',
    key: 'v',
    modifiers,
  });
  assert.deepEqual(pressed('ψ', 'KeyC', { ctrlKey }), {
    handling: 'send',
    code: 'KeyC',
    key: 'c',
    modifiers,
  });
  const both = Modifier.control | Modifier.shift;
  assert.deepEqual(pressed('М', 'KeyV', { ctrlKey, shiftKey: true }), {
    ...{ handling: 'paste', code: 'KeyV', key: 'V', modifiers: both },
  });
});

it('a letter of another script without a shortcut stays as it is', () => {
  assert.deepEqual(pressed('м', 'KeyV'), { handling: 'send', code: 'KeyV', key: 'м', modifiers: 0 });
  const { shift } = Modifier;
  const capital = { handling: 'send', code: 'KeyV', key: 'М', modifiers: shift };
  assert.deepEqual(pressed('М', 'KeyV', { shiftKey: true }), capital);
});

it('a shortcut with a Latin letter is the letter, not the position', () => {
  const [ctrlKey, modifiers] = [true, Modifier.control];
  assert.deepEqual(pressed('v', 'Period', { ctrlKey }), {
    ...{ handling: 'paste', code: 'Period', key: 'v' },
    modifiers,
  });
  assert.deepEqual(pressed('z', 'KeyW', { ctrlKey }), {
    ...{ handling: 'send', code: 'KeyW', key: 'z' },
    modifiers,
  });
  assert.deepEqual(pressed('é', 'Digit2', { ctrlKey }), {
    ...{ handling: 'send', code: 'Digit2', key: 'é' },
    modifiers,
  });
});
