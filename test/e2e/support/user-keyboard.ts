import type { CDPSession } from '@playwright/test';

/** One key of a keyboard layout: its place and the character that it makes. */
export interface LayoutKey {
  code: string;
  key: string;
  /** True if the key makes this character only while AltGr is held. */
  altGraph?: boolean;
}

/** Keys of layouts that Playwright's American keyboard does not have, and an input method. */
export class UserKeyboard {
  constructor(private readonly cdp: CDPSession) {}

  /** Presses and lifts a key that makes a character. */
  async press({ code, key, altGraph = false }: LayoutKey): Promise<void> {
    if (altGraph) await this.#send('keyDown', { code: 'AltRight', key: 'AltGraph' });
    await this.#send('keyDown', { code, key, text: key, unmodifiedText: key });
    await this.#send('keyUp', { code, key });
    if (altGraph) await this.#send('keyUp', { code: 'AltRight', key: 'AltGraph' });
  }

  /**
   * Types with an input method: each step is a key that the input method takes, and the preliminary text it
   * then shows.
   */
  async compose(...steps: string[]): Promise<void> {
    for (const text of steps) {
      await this.#send('rawKeyDown', { code: 'KeyA', key: 'Process', windowsVirtualKeyCode: 229 });
      await this.cdp.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
      await this.#send('keyUp', { code: 'KeyA', key: 'a' });
    }
  }

  /** Finishes a composition, or inserts a text as an emoji picker does. */
  async commit(text: string): Promise<void> {
    await this.cdp.send('Input.insertText', { text });
  }

  async #send(
    type: 'keyDown' | 'keyUp' | 'rawKeyDown',
    key: {
      code: string;
      key: string;
      text?: string;
      unmodifiedText?: string;
      windowsVirtualKeyCode?: number;
    },
  ): Promise<void> {
    await this.cdp.send('Input.dispatchKeyEvent', { type, ...key });
  }
}
