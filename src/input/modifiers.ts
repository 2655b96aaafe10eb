import { Modifier } from '../protocol/index.js';
import type { Platform } from './platform.js';

/** The part of a DOM event that tells which modifier keys are down. */
export interface ModifierState {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * The protocol's modifier bits. The remote browser follows Linux conventions, so a Mac's Command key counts as Control:
 * Command+C copies and Command+click opens a tab, as the hand expects.
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
