import { setImmediate as turn } from 'node:timers/promises';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { BrowserSync } from './browser-sync.js';
import type { GuardedKeySink } from './keyboard.js';
import type { Keymap } from './keymap.js';
import { keysymOf, keysymOfCharacter } from './keysyms.js';
import type { PageKeys } from './page-keys.js';
import type { SharedModifiers } from './shared-modifiers.js';
import type { CompositionWatch } from './composition-watch.js';
import { writesNothing } from './key-codes.js';
import type { UserEvent } from '../merge-events.js';

/** Number of characters that are typed before the event loop does other work. */
const TYPED_AT_ONCE = 64;

/** Unfinished text and its user. */
interface Composition {
  user: object;
  text: string;
}

/**
 * Enters text from input methods, dead keys, on-screen keyboards and the clipboard. Pages receive it over
 * CDP, like text of a local input method. CDP cannot reach the browser's own fields, so text for them is
 * typed as key events on the display.
 *
 * The host finishes composed text before any other action, as on desktops. Otherwise, if the focus moved to
 * an out-of-process frame, Chromium would leave the text unfinished. After that, no text would reach any
 * other field of that page.
 */
export class TextInput {
  #composition: Composition | undefined;
  /**
   * Composed text that the host finished before the user's input method did. The input method will still send
   * its own event with the text.
   */
  #finished: Composition | undefined;

  constructor(
    private readonly pageKeys: PageKeys,
    private readonly keymap: Keymap,
    private readonly keys: GuardedKeySink,
    private readonly sync: BrowserSync,
    private readonly watch: CompositionWatch,
    private readonly modifiers: SharedModifiers,
  ) {}

  /** Enters a user's finished text at the focus. */
  async commit(text: string, user: object): Promise<void> {
    this.#ends();
    const { user: whose, text: finished } = this.#finished ?? {};
    if (whose === user) this.#finished = undefined;
    if (whose === user && finished === text) return;
    const page = await this.#focusedPage();
    if (page) await page.sendUrgent('Input.insertText', { text });
    else await this.#type(text);
  }

  /** Shows a user's unfinished text. The empty text removes it. */
  async compose(text: string, user: object): Promise<void> {
    this.#ends();
    if (this.#finished?.user === user) this.#finished = undefined;
    const page = await this.#focusedPage();
    if (page && text !== '') this.#composition = { user, text };
    const end = text.length;
    await page?.sendUrgent('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    if (page && text !== '') this.watch.note(page, text);
  }

  /**
   * Finishes composed text if an event is not part of the composition. Returns undefined if there is no text
   * to finish.
   */
  finishBefore(event: UserEvent, user: object): Promise<void> | undefined {
    return this.#composition && ends(event, this.#composition.user === user) ? this.#finish() : undefined;
  }

  /** Finishes a user's composed text. */
  async finishOf(user: object): Promise<void> {
    if (this.#composition?.user === user) await this.#finish();
  }

  /**
   * Forgets a user's finished text. Call it when the host has refused the event in which the user's input
   * method repeats that text.
   */
  forgetFinished(user: object): void {
    if (this.#finished?.user === user) this.#finished = undefined;
  }

  async #finish(): Promise<void> {
    const composition = this.#composition;
    if (!composition) return;
    this.#finished = composition;
    const isThere = await this.watch.isThere(composition.text);
    this.#ends();
    if (!isThere) return;
    const page = await this.#focusedPage();
    // The finished text replaces the unfinished one. The next event is handled even if this fails.
    await page?.sendUrgent('Input.insertText', { text: composition.text }).catch(() => undefined);
  }

  #ends(): void {
    this.#composition = undefined;
    this.watch.forget();
  }

  /**
   * Returns the page with the keyboard focus, after all earlier keys were handled. So no earlier key arrives
   * after the text.
   */
  async #focusedPage(): Promise<CdpSession | undefined> {
    await this.sync.settled();
    return this.pageKeys.target();
  }

  async #type(text: string): Promise<void> {
    // A held Control would turn the text into shortcuts, and Caps Lock would change its letters.
    this.modifiers.suspendAll();
    this.keys.lock(false);
    let typed = 0;
    for (const character of text) {
      // A long text must not block the other work of the host.
      if (++typed % TYPED_AT_ONCE === 0) await turn();
      const keysym =
        character === '\n' ? keysymOf('Enter') : keysymOfCharacter(character.codePointAt(0) ?? 0);
      const keycode = keysym === undefined ? undefined : await this.keymap.spareFor(keysym);
      if (keycode === undefined) continue;
      if (this.keys.key(keycode, true)) this.keys.key(keycode, false);
    }
  }
}

/**
 * True if an event is not part of the composition.
 *
 * @param own true if the event is from the composing user
 */
function ends(event: UserEvent, own: boolean): boolean {
  switch (event.type) {
    case 'button':
      return event.pressed;
    case 'touch':
      return event.phase === 'start';
    case 'key':
      return event.pressed && !writesNothing(event.code);
    case 'text':
    case 'composition':
      return !own;
    default:
      return false;
  }
}
