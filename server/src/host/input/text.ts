import type { CdpSession } from '../browser/cdp/cdp-session.js';
import type { BrowserSync } from './keyboard/browser-sync.js';
import type { KeySink } from './keyboard/keyboard.js';
import type { Keymap } from './keyboard/keymap.js';
import { keysymOf, keysymOfCharacter } from './keyboard/keysyms.js';
import type { PageKeys } from './keyboard/page-keys.js';
import type { CompositionWatch } from './composition-watch.js';
import { writesNothing } from './keyboard/key-codes.js';
import type { UserEvent } from './merge-events.js';

/** Unfinished text, and whose it is. */
interface Composition {
  user: object;
  text: string;
}

/**
 * Text that no key makes: from input methods, dead keys, on-screen keyboards, the clipboard. A page gets it as its own
 * input method would give it (CDP); the browser's own fields, which CDP cannot reach, get it typed.
 *
 * What somebody has composed is finished before anything else is done, as desktops do: Chromium leaves it unfinished when the focus
 * goes to a frame of another process, and from then on no text reaches any other field of that page.
 */
export class TextInput {
  #composition: Composition | undefined;
  /** What was finished before its user's input method did it, which is yet to come. */
  #finished: Composition | undefined;

  constructor(
    private readonly pageKeys: PageKeys,
    private readonly keymap: Keymap,
    private readonly keys: KeySink,
    private readonly sync: BrowserSync,
    private readonly watch: CompositionWatch,
  ) {}

  /** Puts a user's finished text where the focus is. */
  async commit(text: string, user: object): Promise<void> {
    this.#ends();
    const { user: whose, text: finished } = this.#finished ?? {};
    if (whose === user) this.#finished = undefined;
    if (whose === user && finished === text) return;
    const page = await this.#focusedPage();
    if (page) await page.sendUrgent('Input.insertText', { text });
    else await this.#type(text);
  }

  /** Shows a user's unfinished text; the empty text takes it away. */
  async compose(text: string, user: object): Promise<void> {
    this.#ends();
    if (this.#finished?.user === user) this.#finished = undefined;
    const page = await this.#focusedPage();
    if (page && text !== '') this.#composition = { user, text };
    const end = text.length;
    await page?.sendUrgent('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    if (page && text !== '') this.watch.note(page, text);
  }

  /** Finishes what is composed, if an event does anything else. Without a promise there is nothing to wait for. */
  finishBefore(event: UserEvent, user: object): Promise<void> | undefined {
    return this.#composition && ends(event, this.#composition.user === user) ? this.#finish() : undefined;
  }

  /** Finishes what a user has composed. */
  async finishOf(user: object): Promise<void> {
    if (this.#composition?.user === user) await this.#finish();
  }

  async #finish(): Promise<void> {
    const composition = this.#composition;
    if (!composition) return;
    this.#finished = composition;
    const isThere = await this.watch.isThere(composition.text);
    this.#ends();
    if (!isThere) return;
    const page = await this.#focusedPage();
    // It replaces the same text, unfinished. Whatever becomes of it, the next event is done.
    await page?.sendUrgent('Input.insertText', { text: composition.text }).catch(() => undefined);
  }

  #ends(): void {
    this.#composition = undefined;
    this.watch.forget();
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

/** Whether an event has nothing to do with what is being composed. @param own it is the same user's */
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
