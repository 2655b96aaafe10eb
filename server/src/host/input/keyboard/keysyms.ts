import { numbered } from './key-codes.js';

/** X keysyms of named keys, by `KeyboardEvent.key`. Source: X11/keysymdef.h. */
const NAMED = numbered([
  [0xff08, 'Backspace Tab'],
  [0xff0d, 'Enter'],
  [0xff13, 'Pause ScrollLock'],
  [0xff1b, 'Escape'],
  [0xff50, 'Home ArrowLeft ArrowUp ArrowRight ArrowDown PageUp PageDown End'],
  [0xff61, 'PrintScreen'],
  [0xff63, 'Insert'],
  [0xff67, 'ContextMenu'],
  [0xffff, 'Delete'],
]);

/** Keysyms of keys of the keypad. Pages see from these keysyms that the key is on the keypad. */
const KEYPAD = numbered([
  [0xff8d, 'Enter'],
  [0xff95, 'Home ArrowLeft ArrowUp ArrowRight ArrowDown PageUp PageDown End Clear Insert Delete'],
  [0xffaa, '* + , - . /'],
  [0xffb0, '0 1 2 3 4 5 6 7 8 9'],
  [0xffbd, '='],
]);

/** Offset of keysyms for characters beyond Latin-1. It is added to the code point. */
const UNICODE = 0x01000000;
/** Keysym of F1. The other function keys follow. */
const F1 = 0xffbe;

/**
 * Returns the keysym of a key, by `KeyboardEvent.key` and `KeyboardEvent.code`. Undefined for keys that have
 * no keysym here (`Dead`, `Process`, media keys).
 */
export function keysymOf(key: string, code = ''): number | undefined {
  if (code.startsWith('Numpad')) {
    const keypad = KEYPAD.get(key);
    if (keypad !== undefined) return keypad;
  }
  const named = NAMED.get(key);
  if (named !== undefined) return named;
  const functionKey = /^F(\d{1,2})$/.exec(key);
  if (functionKey) return F1 + Number(functionKey[1]) - 1;
  const character = key.codePointAt(0);
  if (character === undefined || key.length !== String.fromCodePoint(character).length) return undefined;
  return keysymOfCharacter(character);
}

/**
 * Returns the keysym of a character. Latin-1 characters are their own keysyms. The rest of Unicode has a
 * separate range.
 */
export function keysymOfCharacter(codePoint: number): number | undefined {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return undefined;
  return codePoint <= 0xff ? codePoint : UNICODE + codePoint;
}
