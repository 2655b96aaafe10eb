import type { ConnectionState } from '../core/index.js';

/**
 * Custom states that a page can style with `:state(…)`: the connection state and additional conditions. The
 * last three belong to the replay element.
 */
export type CustomState =
  ConnectionState | 'images' | 'private' | 'poor' | 'audio-blocked' | 'loading' | 'ready' | 'live';

/** Sets or removes a custom state of an element. */
export function setCustomState({ states }: ElementInternals, state: CustomState, on: boolean): void {
  try {
    if (on) states.add(state);
    else states.delete(state);
  } catch {
    // Chromium before 125 accepts only names that start with two dashes. The error is ignored, because the
    // states are only for styling.
  }
}
