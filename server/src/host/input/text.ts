import type { CdpSession } from '../browser/cdp/cdp-session.js';
import type { BrowserSync } from './keyboard/browser-sync.js';
import type { KeySink } from './keyboard/keyboard.js';
import type { Keymap } from './keyboard/keymap.js';
import { keysymOf, keysymOfCharacter } from './keyboard/keysyms.js';
import type { PageKeys } from './keyboard/page-keys.js';

/**
 * Text that no key makes: from input methods, dead keys, on-screen keyboards, the clipboard. A page gets it as its own
 * input method would give it (CDP); the browser's own fields, which CDP cannot reach, get it typed.
 */
export class TextInput {
  constructor(
    private readonly pageKeys: PageKeys,
    private readonly keymap: Keymap,
    private readonly keys: KeySink,
    private readonly sync: BrowserSync,
  ) {}

  /** Puts finished text where the focus is. */
  async commit(text: string): Promise<void> {
    const page = await this.#focusedPage();
    if (page) await page.sendUrgent('Input.insertText', { text });
    else await this.#type(text);
  }

  /** Shows unfinished text of an input method; the empty text takes it away. */
  async compose(text: string): Promise<void> {
    const page = await this.#focusedPage();
    const end = text.length;
    await page?.sendUrgent('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
  }

  /** The page with the keyboard, once all earlier keys are through: they must not arrive behind the text. */
  async #focusedPage(): Promise<CdpSession | undefined> {
    await this.sync.settled();
    return this.pageKeys.target();
  }

  async #type(text: string): Promise<void> {
    for (const character of text) {
      const keysym =
        character === '\n' ? keysymOf('Enter') : keysymOfCharacter(character.codePointAt(0) ?? 0);
      const keycode = keysym === undefined ? undefined : await this.keymap.spareFor(keysym);
      if (keycode === undefined) continue;
      this.keys.key(keycode, true);
      this.keys.key(keycode, false);
    }
  }
}
