import { Modifier } from '../../protocol/index.js';
import type { RemoteKey } from './remote-key.js';

const COMMAND_KEYS: Record<string, { key: string; modifiers: number }> = {
  ArrowLeft: { key: 'Home', modifiers: 0 },
  ArrowRight: { key: 'End', modifiers: 0 },
  ArrowUp: { key: 'Home', modifiers: Modifier.control },
  ArrowDown: { key: 'End', modifiers: Modifier.control },
};
const OPTION_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'Backspace', 'Delete']);

/**
 * Translates a Mac's editing shortcuts for the remote Linux browser. Command with an arrow moves to the start
 * or end of the line or text. Option moves and deletes by words. The Command key itself becomes Control.
 *
 * Control with a letter stays as it is, because pages use it, for example terminals. Command with Backspace
 * deletes a word. Shift+Home and Backspace would delete to the start of the line, but with a selection they
 * would delete other text than the selected.
 */
export function macShortcut(pressed: RemoteKey, command: boolean): RemoteKey {
  const { code, key, modifiers } = pressed;
  if (key === 'Meta') return { code: code.replace('Meta', 'Control'), key: 'Control', modifiers };
  const moved = command ? COMMAND_KEYS[key] : undefined;
  if (moved)
    return { code: moved.key, key: moved.key, modifiers: moved.modifiers | (modifiers & Modifier.shift) };
  if (OPTION_KEYS.has(key) && (modifiers & Modifier.alt) !== 0) {
    return { code, key, modifiers: (modifiers & ~Modifier.alt) | Modifier.control };
  }
  return pressed;
}
