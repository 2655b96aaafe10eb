import type { ConnectionState } from '../core/index.js';

/**
 * Custom states that a page can style with `:state(…)`: the connection state and additional conditions. The
 * last three belong to the replay element.
 */
export type CustomState =
  ConnectionState | 'images' | 'private' | 'poor' | 'audio-blocked' | 'loading' | 'ready' | 'live';

/** Returns the internals of an element. Simulated DOMs for tests, such as happy-dom, have none. */
export function internalsOf(element: Partial<HTMLElement>): ElementInternals | undefined {
  return element.attachInternals?.();
}

/** Sets or removes a custom state of an element. */
export function setCustomState(
  internals: ElementInternals | undefined,
  state: CustomState,
  on: boolean,
): void {
  try {
    if (on) internals?.states.add(state);
    else internals?.states.delete(state);
  } catch {
    // Chromium before 125 accepts only names that start with two dashes. The error is ignored, because the
    // states are only for styling.
  }
}
