import { Modifier } from '../protocol/index.js';
import { macShortcut } from './mac-shortcuts.js';
import { modifiersOf, type ModifierState } from './modifiers.js';
import type { Platform } from './platform.js';
import type { RemoteKey } from './remote-key.js';

/** The part of a KeyboardEvent that decides what becomes of it. */
export interface KeyState extends ModifierState {
  readonly code: string;
  readonly key: string;
  readonly keyCode: number;
  readonly isComposing: boolean;
  getModifierState(key: string): boolean;
}

/**
 * What to do with a key:
 *
 * - `send`: it goes to the remote browser and nowhere else
 * - `text`: it makes text that no key can carry (input method, dead key); the text field gets it and tells the outcome
 * - `paste`: the local `paste` event decides what is pasted
 * - `local`: it belongs to this machine
 * - `alt-graph`: AltGr itself, whose effect is in the characters it makes
 */
export type KeyFate = ({ fate: 'send' | 'paste' } & RemoteKey) | { fate: 'text' | 'local' | 'alt-graph' };

/** What input methods report instead of the key that they swallowed: a `keyCode`, and values of `key`. */
const PROCESSED_KEY_CODE = 229;
const SWALLOWED = new Set(['Dead', 'Process', 'Unidentified', 'Compose']);
/** Locks and layers: the key value that other keys arrive with already tells their state. */
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
/** Loudness, brightness, players and this browser's own full screen and developer tools. */
const OWN_KEYS = /^(Audio|Media|Brightness|Launch|Microphone|PrintScreen|Power|Sleep|WakeUp|F11$|F12$)/;

/** Decides over a keydown or keyup. */
export function translateKey(event: KeyState, platform: Platform): KeyFate {
  const { code, key } = event;
  if (event.isComposing || event.keyCode === PROCESSED_KEY_CODE || SWALLOWED.has(key))
    return { fate: 'text' };
  if (key === 'AltGraph') return { fate: 'alt-graph' };
  if (LAYERS.has(key) || OWN_KEYS.test(key)) return { fate: 'local' };
  const modifiers = modifiersOf(event, platform);
  const held = modifiers & ~Modifier.shift;
  if (isCharacter(key)) {
    const makesCharacter =
      event.getModifierState('AltGraph') || (platform === 'mac' && held === Modifier.alt);
    if (makesCharacter) return { fate: 'send', code, key, modifiers: modifiers & Modifier.shift };
    const paste = held === Modifier.control && key.toLowerCase() === 'v';
    return { fate: paste ? 'paste' : 'send', code, key, modifiers };
  }
  // A layout may give one key several characters; only the text field can take those.
  if (!isNamedKey(key)) return { fate: 'text' };
  if (key === 'Insert' && modifiers === Modifier.shift) return { fate: 'paste', code, key, modifiers };
  if (platform === 'mac') return { fate: 'send', ...macShortcut({ code, key, modifiers }, event.metaKey) };
  return { fate: 'send', code, key, modifiers };
}

/** Whether a key value is one character, surrogate pairs included. */
export function isCharacter(key: string): boolean {
  const first = key.codePointAt(0);
  return first !== undefined && key.length === String.fromCodePoint(first).length;
}

function isNamedKey(key: string): boolean {
  return /^[A-Z][A-Za-z0-9]+$/.test(key);
}
