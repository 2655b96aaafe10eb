import { Modifier } from '../../protocol/index.js';
import type { Platform } from './platform.js';

/** The part of a DOM event that contains the pressed modifier keys. */
export interface ModifierState {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Returns the modifier bits of the protocol. The remote browser follows Linux conventions. So a Mac's Command
 * key counts as Control: Command+C copies and Command+click opens a tab.
 */
export function modifiersOf(event: ModifierState, platform: Platform): number {
  const command = platform === 'mac' && event.metaKey;
  return (
    (event.shiftKey ? Modifier.shift : 0) |
    (event.ctrlKey || command ? Modifier.control : 0) |
    (event.altKey ? Modifier.alt : 0) |
    (event.metaKey && !command ? Modifier.meta : 0)
  );
}
