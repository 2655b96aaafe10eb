const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `Key${letter}`);
const DIGITS = [...'0123456789'].map((digit) => `Digit${digit}`);
const FUNCTIONS = Array.from({ length: 12 }, (_, index) => `F${index + 1}`);
const OTHERS =
  'Escape Enter Tab Space Backspace Delete Insert ContextMenu Home End PageUp PageDown ' +
  'ArrowUp ArrowDown ArrowLeft ArrowRight Minus Equal Comma Period Slash';

/** Keys of a keyboard, by `KeyboardEvent.code`. */
export const KEYS: readonly string[] = [...LETTERS, ...DIGITS, ...FUNCTIONS, ...OTHERS.split(' ')];

/** Shortcuts that people press most, and that open most. */
export const SHORTCUTS: readonly string[] = (
  'Control+KeyT Control+KeyN Control+Shift+KeyN Control+KeyW Control+Shift+KeyW Control+Shift+KeyT ' +
  'Control+Tab Control+Shift+Tab Control+KeyR F5 F7 F11 F12 Control+KeyF Control+KeyP Control+KeyU ' +
  'Control+KeyH Control+KeyJ Control+KeyD Control+KeyL Shift+Escape Alt+ArrowLeft Alt+F4 Alt+Home ' +
  'F10 Alt+KeyF Control+Shift+Delete Control+KeyO Control+KeyS Escape'
).split(' ');

/** Bits of an input event's modifiers, by `KeyboardEvent.key`. */
export const MODIFIER_BITS = { Shift: 1, Control: 2, Alt: 4, Meta: 8 } as const;

export const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta'] as const;

/** Characters of addresses on an American keyboard. */
const SYMBOLS: readonly { key: string; code: string; shift?: boolean }[] = [
  { key: ' ', code: 'Space' },
  { key: '.', code: 'Period' },
  { key: '/', code: 'Slash' },
  { key: '?', code: 'Slash', shift: true },
  { key: ':', code: 'Semicolon', shift: true },
];

/** The modifier of this name. Throws RangeError when there is none. */
export function modifierOf(name: string): [modifier: string, bit: number] {
  const modifier = MODIFIERS.find((each) => each === name);
  if (!modifier) throw new RangeError(`There is no modifier ${name}.`);
  return [modifier, MODIFIER_BITS[modifier]];
}

/** Returns the character of a key on an American keyboard. */
export function keyOf(code: string, shift: boolean): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  const symbol = SYMBOLS.find((each) => each.code === code && (each.shift ?? false) === shift)?.key;
  return symbol ?? /^Digit(\d)$/.exec(code)?.[1] ?? code;
}

/** Where a character is on the keyboard, and the modifiers that it needs. */
export function keyFor(key: string): [code: string, modifiers: number] {
  if (/^[a-z]$/.test(key)) return [`Key${key.toUpperCase()}`, 0];
  if (/^\d$/.test(key)) return [`Digit${key}`, 0];
  const symbol = SYMBOLS.find((each) => each.key === key);
  return symbol ? [symbol.code, symbol.shift ? MODIFIER_BITS.Shift : 0] : ['BracketLeft', 0];
}
