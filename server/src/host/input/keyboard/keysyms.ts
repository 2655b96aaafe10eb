/**
 * X keysyms of named keys, by `KeyboardEvent.key`. Source: X11/keysymdef.h.
 */
const NAMED: Record<string, number> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Enter: 0xff0d,
  Pause: 0xff13,
  ScrollLock: 0xff14,
  Escape: 0xff1b,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  PrintScreen: 0xff61,
  Insert: 0xff63,
  ContextMenu: 0xff67,
  Delete: 0xffff,
};

/** Named keys of the keypad, which differ from their namesakes so that a page sees where they are. */
const KEYPAD: Record<string, number> = {
  Enter: 0xff8d,
  Home: 0xff95,
  ArrowLeft: 0xff96,
  ArrowUp: 0xff97,
  ArrowRight: 0xff98,
  ArrowDown: 0xff99,
  PageUp: 0xff9a,
  PageDown: 0xff9b,
  End: 0xff9c,
  Clear: 0xff9d,
  Insert: 0xff9e,
  Delete: 0xff9f,
  '*': 0xffaa,
  '+': 0xffab,
  ',': 0xffac,
  '-': 0xffad,
  '.': 0xffae,
  '/': 0xffaf,
  '=': 0xffbd,
};

const UNICODE = 0x01000000;
const KEYPAD_ZERO = 0xffb0;
const F1 = 0xffbe;

/** The keysym that makes a browser report `key`; undefined for a key that has none (`Dead`, `Process`, media keys). */
export function keysymOf(key: string, code = ''): number | undefined {
  if (code.startsWith('Numpad')) {
    const keypad = /^\d$/.test(key) ? KEYPAD_ZERO + Number(key) : KEYPAD[key];
    if (keypad !== undefined) return keypad;
  }
  const named = NAMED[key];
  if (named !== undefined) return named;
  const functionKey = /^F(\d{1,2})$/.exec(key);
  if (functionKey) return F1 + Number(functionKey[1]) - 1;
  const character = key.codePointAt(0);
  if (character === undefined || key.length !== String.fromCodePoint(character).length) return undefined;
  return keysymOfCharacter(character);
}

/** Latin-1 characters are their own keysyms; the rest of Unicode has a range of its own. */
export function keysymOfCharacter(codePoint: number): number | undefined {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return undefined;
  return codePoint <= 0xff ? codePoint : UNICODE + codePoint;
}
