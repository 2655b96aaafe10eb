import { Modifier, type Key } from 'cloud-browser/protocol';

/** A key to press, with the modifiers that are held meanwhile. */
export type KeyStroke = Pick<Key, 'code' | 'key' | 'modifiers'>;

/** The keys of an American keyboard that enter characters: code, plain character, character with Shift. */
const CHARACTER_KEYS: readonly (readonly [string, string, string])[] = [
  ...[...'abcdefghijklmnopqrstuvwxyz'].map(
    (letter) => [`Key${letter.toUpperCase()}`, letter, letter.toUpperCase()] as const,
  ),
  ...[...')!@#$%^&*('].map((shifted, digit) => [`Digit${digit}`, String(digit), shifted] as const),
  ['Backquote', '`', '~'],
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Backslash', '\\', '|'],
  ['Semicolon', ';', ':'],
  ['Quote', "'", '"'],
  ['Comma', ',', '<'],
  ['Period', '.', '>'],
  ['Slash', '/', '?'],
  ['Space', ' ', ' '],
];

const BY_CHARACTER = new Map<string, KeyStroke>(
  CHARACTER_KEYS.flatMap(([code, plain, shifted]) => [
    [shifted, { code, key: shifted, modifiers: Modifier.shift }] as const,
    [plain, { code, key: plain, modifiers: 0 }] as const,
  ]),
);

/** Control characters of texts, with the name of the key that enters each of them. */
const CONTROLS: Readonly<Record<string, string>> = { '\n': 'Enter', '\t': 'Tab' };

/** Named keys whose code equals their name. */
const NAMED: ReadonlySet<string> = new Set([
  ...['Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Insert', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'CapsLock', 'ContextMenu', 'Pause', 'PrintScreen'],
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
]);

/** Names of modifiers, in lower case, with the bit and the code of the key. */
const MODIFIERS = new Map(
  Object.entries({
    shift: { bit: Modifier.shift, code: 'ShiftLeft', key: 'Shift' },
    control: { bit: Modifier.control, code: 'ControlLeft', key: 'Control' },
    ctrl: { bit: Modifier.control, code: 'ControlLeft', key: 'Control' },
    controlormeta: { bit: Modifier.control, code: 'ControlLeft', key: 'Control' },
    alt: { bit: Modifier.alt, code: 'AltLeft', key: 'Alt' },
    meta: { bit: Modifier.meta, code: 'MetaLeft', key: 'Meta' },
    super: { bit: Modifier.meta, code: 'MetaLeft', key: 'Meta' },
  }),
);

/** Other usual names of keys, in lower case. Models also know the names of xdotool. */
const ALIASES = new Map(
  Object.entries({
    ...{ return: 'Enter', esc: 'Escape', del: 'Delete', ins: 'Insert', space: ' ', spacebar: ' ' },
    ...{ up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' },
    ...{ page_up: 'PageUp', page_down: 'PageDown', prior: 'PageUp', next: 'PageDown' },
    ...{ back_space: 'Backspace', kp_enter: 'Enter', plus: '+', minus: '-', equal: '=' },
    ...{ comma: ',', period: '.', slash: '/', backslash: '\\', semicolon: ';' },
    ...{ shift_l: 'Shift', control_l: 'Control', alt_l: 'Alt', super_l: 'Meta' },
  }),
);

/**
 * Returns the key for a character of a text. The code is empty for a character without a key on the keyboard.
 */
export function strokeOfCharacter(character: string): KeyStroke {
  const control = CONTROLS[character];
  if (control !== undefined) return { code: control, key: control, modifiers: 0 };
  return BY_CHARACTER.get(character) ?? { code: '', key: character, modifiers: 0 };
}

/**
 * Reads the name of a key or a shortcut: `Enter`, `a`, `Control+Shift+T`. The names are those of
 * `KeyboardEvent.key`. Returns undefined for an unknown name.
 */
export function strokeOf(name: string): KeyStroke | undefined {
  // The key `+` can be the last part of a shortcut, as in `Control++`.
  const parts = name.split(/(?<=[^+]|^\+)\+(?=.)/);
  const last = parts.pop() ?? '';
  let modifiers = 0;
  for (const part of parts) {
    const bit = modifierOf(part);
    if (bit === undefined) return undefined;
    modifiers |= bit;
  }
  // Programs write Control+A for the shortcut without Shift.
  const lower = (modifiers & ~Modifier.shift) !== 0 && /^[A-Z]$/.test(last);
  const stroke = strokeOfKey(lower ? last.toLowerCase() : last);
  return stroke && { ...stroke, modifiers: stroke.modifiers | modifiers };
}

/** Returns the bit of a modifier by its name. Returns undefined for an unknown name. */
export function modifierOf(name: string): number | undefined {
  return MODIFIERS.get(name.toLowerCase())?.bit;
}

function strokeOfKey(name: string): KeyStroke | undefined {
  const alias = ALIASES.get(name.toLowerCase()) ?? name;
  if ([...alias].length === 1) return strokeOfCharacter(alias);
  const modifier = MODIFIERS.get(alias.toLowerCase());
  if (modifier) return { code: modifier.code, key: modifier.key, modifiers: 0 };
  const named = [...NAMED].find((key) => key.toLowerCase() === alias.toLowerCase());
  return named === undefined ? undefined : { code: named, key: named, modifiers: 0 };
}
