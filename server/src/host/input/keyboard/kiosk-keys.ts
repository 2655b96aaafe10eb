/** Shortcuts by `KeyboardEvent.code`, modifiers first. */
const list = (text: string): string[] => text.trim().split(/\s+/);

/** What Chromium answers with a dialog over the page that says no, until somebody finds Escape. */
export const DEAD_KEYS: readonly string[] = list(`
  F7 F12 Control+Shift+KeyI Control+Shift+KeyJ Control+Shift+KeyC
`);

/**
 * What pages use and Chromium answers with such a dialog too where no page takes it: view-source, pressed in the address bar. These
 * go to the page in front over CDP, which never makes them the browser's.
 */
export const PAGE_ONLY_KEYS: readonly string[] = list('Control+KeyU');

/** What closes the window in front. In a kiosk that is for popups only. */
export const CLOSING_KEYS: readonly string[] = list('Control+KeyW Control+F4 Alt+F4');

/**
 * What no page of a kiosk may have: Chromium keeps these for itself, or pages hardly use them. Keys that pages do use are theirs,
 * see `browser/pages/page-guard.ts`.
 */
export const KIOSK_KEYS: readonly string[] = [
  ...DEAD_KEYS,
  ...CLOSING_KEYS,
  // New windows and tabs, closed ones again, all of them away.
  ...list(
    'Control+KeyN Control+Shift+KeyN Control+KeyT Control+Shift+KeyT Control+Shift+KeyW Control+Shift+KeyQ',
  ),
  // Another tab: those behind the page are the embedder's.
  ...list('Control+Tab Control+Shift+Tab Control+PageUp Control+PageDown Control+Numpad9 Control+Numpad3'),
  ...list('Control+Shift+PageUp Control+Shift+PageDown Control+Shift+Numpad9 Control+Shift+Numpad3'),
  ...list(
    'Alt+Digit1 Alt+Digit2 Alt+Digit3 Alt+Digit4 Alt+Digit5 Alt+Digit6 Alt+Digit7 Alt+Digit8 Alt+Digit9',
  ),
  // Help, task manager, clearing of data, search of tabs, profiles, bookmarks: pages of Chromium's own.
  ...list('F1 Shift+Escape Control+Shift+Delete Control+Shift+NumpadDecimal Control+Shift+KeyA'),
  ...list('Control+Shift+KeyM Control+Shift+KeyO Control+Shift+KeyB Control+Shift+KeyD'),
  // The home page instead of the kiosk's.
  ...list('Alt+Home Alt+Numpad7'),
  // The keyboard's way into menus and bars that are not shown, and out of the full screen.
  ...list('F6 Shift+F6 Control+F6 F10 F11 Alt+KeyD Alt+KeyE Alt+KeyF Alt+Space'),
  ...list('Alt+Shift+KeyA Alt+Shift+KeyB Alt+Shift+KeyI Alt+Shift+KeyT'),
];
