import type { ConnectionState } from '../core/index.js';

/** What a page's styles can ask for by `:state(…)`: where the connection stands, and what may hold beside it. */
export type CustomState = ConnectionState | 'images' | 'private' | 'poor' | 'audio-blocked';

/** Sets or takes back a custom state of an element. */
export function setCustomState({ states }: ElementInternals, state: CustomState, on: boolean): void {
  try {
    if (on) states.add(state);
    else states.delete(state);
  } catch {
    // Chromium before 125 takes names with two dashes alone; the states are for styling, nothing depends on them.
  }
}
