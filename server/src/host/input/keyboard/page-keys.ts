import { Modifier, type Key } from 'cloud-browser/protocol';
import type { CdpParams, CdpSession } from '../../browser/cdp/cdp-session.js';
import type { Pages } from '../../browser/pages/pages.js';

/** Bits of CDP's `modifiers` of keys and of the mouse. */
const CDP_MODIFIERS = [
  [Modifier.alt, 1],
  [Modifier.control, 2],
  [Modifier.meta, 4],
  [Modifier.shift, 8],
] as const;

/** `DOM_KEY_LOCATION_NUMPAD` of UI Events. */
const NUMPAD_LOCATION = 3;
/** Windows virtual key code of the keypad's 0. The other digits follow. */
const VK_NUMPAD0 = 96;

/** Windows virtual key codes of punctuation keys, which pages still read as `keyCode`. Source: winuser.h. */
const VIRTUAL_KEYS = new Map(
  Object.entries({
    Semicolon: 186,
    Equal: 187,
    Comma: 188,
    Minus: 189,
    Period: 190,
    Slash: 191,
    Backquote: 192,
    BracketLeft: 219,
    Backslash: 220,
    BracketRight: 221,
    Quote: 222,
    IntlBackslash: 226,
    NumpadDecimal: 110,
  }),
);

/**
 * Sends pages the characters that the pressed key does not have on the display's American keyboard. The page
 * receives a key event of the user's own layout, with `key`, `code` and text.
 */
export class PageKeys {
  constructor(private readonly pages: Pages) {}

  /** Returns the page with the keyboard focus. Undefined if the browser's own interface has it. */
  async target(): Promise<CdpSession | undefined> {
    const page = await this.pages.front();
    if (!page) return undefined;
    return (await this.pages.hasFocus(page).catch(() => false)) ? page : undefined;
  }

  /**
   * Presses and releases a key of the American keyboard with Control. Only the page's own listeners receive
   * it, and it has no other effect.
   */
  async sendShortcut(page: CdpSession, code: string): Promise<void> {
    const key = code.replace(/^(Key|Digit|Numpad)/, '').toLowerCase();
    const base = {
      key,
      code,
      modifiers: cdpModifiers(Modifier.control),
      windowsVirtualKeyCode: virtualKey({ key, code }),
    };
    for (const type of ['rawKeyDown', 'keyUp'] as const)
      await page.sendUrgent('Input.dispatchKeyEvent', { ...base, type }).catch(() => undefined);
  }

  /** Sends a printable key to a page. Ignores a page that is gone or does not answer. */
  async send(page: CdpSession, event: Key): Promise<void> {
    const keypad = event.code.startsWith('Numpad');
    const base = {
      key: event.key,
      code: event.code,
      modifiers: cdpModifiers(event.modifiers),
      windowsVirtualKeyCode: virtualKey(event),
      isKeypad: keypad,
      location: keypad ? NUMPAD_LOCATION : 0,
    };
    const params: CdpParams<'Input.dispatchKeyEvent'> = event.pressed
      ? { ...base, type: 'keyDown', text: event.key, unmodifiedText: event.key, autoRepeat: event.repeat }
      : { ...base, type: 'keyUp' };
    await page.sendUrgent('Input.dispatchKeyEvent', params).catch(() => undefined);
  }
}

/** Converts bits of the protocol's `Modifier` to CDP's `modifiers`. */
export function cdpModifiers(modifiers: number): number {
  return CDP_MODIFIERS.reduce((sum, [ours, theirs]) => sum + ((modifiers & ours) === 0 ? 0 : theirs), 0);
}

function virtualKey({ key, code }: Pick<Key, 'key' | 'code'>): number {
  if (/^Numpad\d$/.test(code)) return VK_NUMPAD0 + Number(code.slice(-1));
  if (/^[a-z\d]$/i.test(key)) return key.toUpperCase().charCodeAt(0);
  if (/^(Key|Digit).$/.test(code)) return code.charCodeAt(code.length - 1);
  return VIRTUAL_KEYS.get(code) ?? 0;
}
