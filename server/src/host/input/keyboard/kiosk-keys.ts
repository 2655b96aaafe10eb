/** Splits a list of shortcuts. Each shortcut is a `KeyboardEvent.code` after its modifiers. */
const list = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Shortcuts that Chromium answers with a dialog over the page: "the action is not allowed". The dialog stays
 * until Escape is pressed.
 */
export const DEAD_KEYS: readonly string[] = list(`
  F7 F12 Control+Shift+KeyI Control+Shift+KeyJ Control+Shift+KeyC
`);

/**
 * Shortcuts that pages may use. If no page handles Control+U ("view source"), Chromium opens the dialog of
 * {@link DEAD_KEYS}. So the host sends these shortcuts to the active page over CDP, and the browser itself
 * does not receive them.
 */
const PAGE_ONLY_KEYS: readonly string[] = list('Control+KeyU');

/**
 * Shortcuts of Chromium for bookmarks, history, downloads, tabs, the address bar, save and open. Pages may
 * handle them first. In a kiosk (a session that shows only the page) they would cover or leave the page. So
 * in a kiosk the host sends them only to the page, like {@link PAGE_ONLY_KEYS}. A script in the page would
 * not suffice to block them, because during a reload no document receives keys.
 */
const KIOSK_PAGE_KEYS: readonly string[] = list(`
  Control+KeyD Control+KeyE Control+KeyH Control+KeyJ Control+KeyK Control+KeyL Control+KeyO Control+KeyS
  Control+Digit1 Control+Digit2 Control+Digit3 Control+Digit4 Control+Digit5 Control+Digit6 Control+Digit7
  Control+Digit8 Control+Digit9
  Control+Numpad1 Control+Numpad2 Control+Numpad4 Control+Numpad5 Control+Numpad6 Control+Numpad7
  Control+Numpad8
`);

/**
 * Shortcuts of Chromium's search for text, which would tell the content of masked fields. In sessions that
 * mask fields, only pages receive them.
 */
const SEARCH_PAGE_KEYS: readonly string[] = list('Control+KeyF Control+KeyG');

/**
 * Shortcuts that sessions with masked fields withhold: the other shortcuts of the search, and those that open
 * the browser's menu, which has the search too. While the menu is open, the page still has the focus.
 */
export const SEARCH_KEYS: readonly string[] = list(`
  F3 Shift+F3 Control+F3 Control+Shift+F3 Control+Shift+KeyG F10 Alt+KeyE Alt+KeyF
`);

/**
 * Returns the shortcuts that only the active page receives.
 *
 * @param masks true if the session masks fields
 */
export function pageOnlyKeys(kiosk: boolean, masks: boolean): readonly string[] {
  return [...PAGE_ONLY_KEYS, ...(kiosk ? KIOSK_PAGE_KEYS : []), ...(masks ? SEARCH_PAGE_KEYS : [])];
}

/**
 * Returns all shortcuts that the display does not receive.
 *
 * @param masks true if the session masks fields
 */
export function withheldKeys(kiosk: boolean, masks: boolean): readonly string[] {
  return [...(kiosk ? KIOSK_KEYS : DEAD_KEYS), ...(masks ? SEARCH_KEYS : []), ...pageOnlyKeys(kiosk, masks)];
}

/** Shortcuts that close the active window. In a kiosk they work only for popups. */
export const CLOSING_KEYS: readonly string[] = list('Control+KeyW Control+F4 Alt+F4');

/**
 * Shortcuts that pages of a kiosk do not receive. Chromium reserves them, or pages hardly use them.
 */
export const KIOSK_KEYS: readonly string[] = [
  ...DEAD_KEYS,
  ...CLOSING_KEYS,
  // Open new windows and tabs, reopen closed ones, close all.
  ...list(
    'Control+KeyN Control+Shift+KeyN Control+KeyT Control+Shift+KeyT Control+Shift+KeyW Control+Shift+KeyQ',
  ),
  // Switch tabs. Only the page that embeds the viewer may switch to other tabs.
  ...list('Control+Tab Control+Shift+Tab Control+PageUp Control+PageDown Control+Numpad9 Control+Numpad3'),
  ...list('Control+Shift+PageUp Control+Shift+PageDown Control+Shift+Numpad9 Control+Shift+Numpad3'),
  ...list(
    'Alt+Digit1 Alt+Digit2 Alt+Digit3 Alt+Digit4 Alt+Digit5 Alt+Digit6 Alt+Digit7 Alt+Digit8 Alt+Digit9',
  ),
  // Open Chromium's own pages: help, task manager, clear data, tab search, profiles, bookmarks.
  ...list('F1 Shift+Escape Control+Shift+Delete Control+Shift+NumpadDecimal Control+Shift+KeyA'),
  ...list('Control+Shift+KeyM Control+Shift+KeyO Control+Shift+KeyB Control+Shift+KeyD'),
  // Open the home page instead of the kiosk's page.
  ...list('Alt+Home Alt+Numpad7'),
  // Move the focus into menus and bars that are not shown, or leave full screen.
  ...list('F6 Shift+F6 Control+F6 F10 F11 Alt+KeyD Alt+KeyE Alt+KeyF Alt+Space'),
  ...list('Alt+Shift+KeyA Alt+Shift+KeyB Alt+Shift+KeyI Alt+Shift+KeyT'),
];
