import type { Role, SessionUser } from '../../src/index.js';

/** Roles in the panel, each with a short name and a description. */
export const ROLE_WORDS: Partial<Record<Role, { word: string; allows: string }>> = {
  control: { word: 'Control', allows: 'Mouse, keyboard and fingers' },
  chrome_apis: { word: 'Tabs', allows: 'Open, close and switch tabs by the SDK' },
  resize: { word: 'Resize', allows: 'Change the size of the screen' },
  cursor_data: { word: 'Pointers', allows: 'See where the others point' },
  clipboard_copy: { word: 'Clipboard', allows: 'Copy out of the browser' },
};

/** Returns the names of roles for a sentence. */
export function inWords(roles: readonly Role[]): string {
  return roles.map((role) => ROLE_WORDS[role]?.word ?? role).join(', ');
}

/** Returns a user's current state in a word. */
export function standing({ controlling, roles, permissions }: SessionUser): string {
  if (controlling) return 'In control';
  return roles.includes('control') && !permissions.control_disabled ? 'Waiting' : 'Watching';
}
