import { Modifier } from '../../protocol/index.js';
import { macShortcut } from './mac-shortcuts.js';
import { modifiersOf, type ModifierState } from './modifiers.js';
import type { Platform } from './platform.js';
import type { RemoteKey } from './remote-key.js';

/** The part of a KeyboardEvent that decides its handling. */
export interface KeyState extends ModifierState {
  readonly code: string;
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  getModifierState(key: string): boolean;
}

/**
 * Handling of a key:
 *
 * - `send`: the key goes only to the remote browser
 * - `text`: the key produces text that a key event cannot contain (input method, dead key). The text field
 *   receives it and reports the result
 * - `paste`: the local `paste` event decides what is pasted
 * - `local`: the key is for the local machine
 * - `alt-graph`: the key AltGr. It is not sent, because the characters that it produces are sent
 */
export type KeyHandling =
  ({ handling: 'send' | 'paste' } & RemoteKey) | { handling: 'text' | 'local' | 'alt-graph' };

/** The `keyCode` and the values of `key` that input methods report instead of the pressed key. */
const PROCESSED_KEY_CODE = 229;
const CONSUMED_KEYS = new Set(['Dead', 'Process', 'Unidentified', 'Compose']);
/**
 * Keys for locks and layers. They are not sent, because the `key` values of other keys include their effect.
 */
const LAYERS = new Set([
  'CapsLock',
  'NumLock',
  'ScrollLock',
  'Fn',
  'FnLock',
  'Hyper',
  'Super',
  'Symbol',
  'SymbolLock',
]);
/**
 * Keys of the local machine, for example volume and brightness. F11 and F12 are full screen and developer
 * tools of the local browser.
 */
const OWN_KEYS = /^(Audio|Media|Brightness|Launch|Microphone|PrintScreen|Power|Sleep|WakeUp|F11$|F12$)/;

/** Decides the handling of a keydown or keyup event. */
export function translateKey(event: KeyState, platform: Platform): KeyHandling {
  const { code } = event;
  let { key } = event;
  if (event.isComposing || event.keyCode === PROCESSED_KEY_CODE || CONSUMED_KEYS.has(key))
    return { handling: 'text' };
  if (key === 'AltGraph') return { handling: 'alt-graph' };
  if (LAYERS.has(key) || OWN_KEYS.test(key)) return { handling: 'local' };
  const modifiers = modifiersOf(event, platform);
  const held = modifiers & ~Modifier.shift;
  if (isCharacter(key)) {
    const makesCharacter =
      event.getModifierState('AltGraph') || (platform === 'mac' && held === Modifier.alt);
    if (makesCharacter) return { handling: 'send', code, key, modifiers: modifiers & Modifier.shift };
    if (held !== 0) key = shortcutLetter(key, code, event.shiftKey);
    const paste = held === Modifier.control && key.toLowerCase() === 'v';
    return { handling: paste ? 'paste' : 'send', code, key, modifiers };
  }
  // A layout may assign several characters to one key. Only the text field can handle such a key.
  if (!isNamedKey(key)) return { handling: 'text' };
  if (key === 'Insert' && modifiers === Modifier.shift) return { handling: 'paste', code, key, modifiers };
  if (platform === 'mac')
    return { handling: 'send', ...macShortcut({ code, key, modifiers }, event.metaKey) };
  return { handling: 'send', code, key, modifiers };
}

/** Returns true if a key value is one character, including surrogate pairs. */
export function isCharacter(key: string): boolean {
  const first = key.codePointAt(0);
  return first !== undefined && key.length === String.fromCodePoint(first).length;
}

/**
 * Returns the Latin letter at the position of a letter of another script, such as Cyrillic. Local browsers
 * choose the shortcut in the same way. Other characters stay as they are.
 */
function shortcutLetter(key: string, code: string, shift: boolean): string {
  const letter = key > '\x7f' && /^Key([A-Z])$/.exec(code)?.[1];
  if (!letter) return key;
  return shift ? letter : letter.toLowerCase();
}

function isNamedKey(key: string): boolean {
  return /^[A-Z][A-Za-z0-9]+$/.test(key);
}
