/**
 * X keycodes of physical keys, by `KeyboardEvent.code`: the Linux key number plus 8, as every X server with the evdev
 * keycode rules has it. Sources: linux/input-event-codes.h and the W3C "UI Events KeyboardEvent code values".
 */
const LINUX_KEYS: Record<string, number> = {
  Escape: 1,
  Minus: 12,
  Equal: 13,
  Backspace: 14,
  Tab: 15,
  BracketLeft: 26,
  BracketRight: 27,
  Enter: 28,
  ControlLeft: 29,
  Semicolon: 39,
  Quote: 40,
  Backquote: 41,
  ShiftLeft: 42,
  Backslash: 43,
  Comma: 51,
  Period: 52,
  Slash: 53,
  ShiftRight: 54,
  NumpadMultiply: 55,
  AltLeft: 56,
  Space: 57,
  CapsLock: 58,
  NumLock: 69,
  ScrollLock: 70,
  Numpad7: 71,
  Numpad8: 72,
  Numpad9: 73,
  NumpadSubtract: 74,
  Numpad4: 75,
  Numpad5: 76,
  Numpad6: 77,
  NumpadAdd: 78,
  Numpad1: 79,
  Numpad2: 80,
  Numpad3: 81,
  Numpad0: 82,
  NumpadDecimal: 83,
  IntlBackslash: 86,
  F11: 87,
  F12: 88,
  IntlRo: 89,
  NumpadEnter: 96,
  ControlRight: 97,
  NumpadDivide: 98,
  PrintScreen: 99,
  AltRight: 100,
  Home: 102,
  ArrowUp: 103,
  PageUp: 104,
  ArrowLeft: 105,
  ArrowRight: 106,
  End: 107,
  ArrowDown: 108,
  PageDown: 109,
  Insert: 110,
  Delete: 111,
  NumpadEqual: 117,
  Pause: 119,
  NumpadComma: 121,
  IntlYen: 124,
  MetaLeft: 125,
  MetaRight: 126,
  ContextMenu: 127,
};

const ROWS: [string, number][] = [
  ['QWERTYUIOP', 16],
  ['ASDFGHJKL', 30],
  ['ZXCVBNM', 44],
];

const X_OFFSET = 8;

function keycodes(): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  for (const [code, key] of Object.entries(LINUX_KEYS)) codes.set(code, key + X_OFFSET);
  for (const [letters, first] of ROWS) {
    [...letters].forEach((letter, index) => codes.set(`Key${letter}`, first + index + X_OFFSET));
  }
  for (let digit = 0; digit <= 9; digit++)
    codes.set(`Digit${digit}`, (digit === 0 ? 11 : digit + 1) + X_OFFSET);
  for (let number = 1; number <= 10; number++) codes.set(`F${number}`, 58 + number + X_OFFSET);
  return codes;
}

/** X keycode of a physical key. Keys that are not here (media keys, most of them) are left alone by a hosted browser. */
export const KEYCODE_OF: ReadonlyMap<string, number> = keycodes();
