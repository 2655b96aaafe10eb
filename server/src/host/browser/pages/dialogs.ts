import type { DialogAnswer, PageDialog } from 'cloud-browser/protocol';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Maximum length of a dialog's text. Pages can send any length. */
const MAX_TEXT_CHARS = 4_096;

/**
 * Dialogs of pages: `alert`, `confirm`, `prompt` and `beforeunload`. Chromium shows them as usual. A page is
 * blocked while one of its dialogs is open.
 */
export class Dialogs {
  readonly #open = new Map<CdpSession, PageDialog>();
  readonly #watchers = new Set<() => void>();
  /**
   * Called for recordings when a dialog opens or closes. `type` is undefined when a dialog closes. `accepted`
   * is true if a user accepted the dialog. `text` is the text that a user has entered into the dialog.
   */
  onRecorded: ((type: PageDialog['type'] | undefined, accepted?: boolean, text?: string) => void) | undefined;
  /** Called when a page opens a dialog. */
  onOpened: ((page: CdpSession, dialog: PageDialog) => void) | undefined;
  /** Called when a page's dialog is answered, or when the page is gone. */
  onClosed: ((page: CdpSession) => void) | undefined;

  /**
   * Calls a function each time a dialog has opened or closed. Returns a function that ends this. Several
   * parts of the session watch the dialogs.
   */
  watch(onChanged: () => void): () => void {
    this.#watchers.add(onChanged);
    return () => void this.#watchers.delete(onChanged);
  }

  /**
   * Follows a page's dialogs. Call it before the page can open one: Chromium does not report a dialog that is
   * already open.
   */
  follow(page: CdpSession): void {
    page.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt, url }) => {
      const dialog = { type, message: cut(message), defaultPrompt: cut(defaultPrompt ?? ''), url: cut(url) };
      this.#open.set(page, dialog);
      this.onOpened?.(page, dialog);
      this.#changed();
      this.onRecorded?.(type);
    });
    const closed = (accepted?: boolean, text?: string) => {
      const prompt = this.#open.get(page)?.defaultPrompt;
      if (!this.#open.delete(page)) return;
      this.onClosed?.(page);
      this.#changed();
      // The page's own suggestion is no text of the user.
      this.onRecorded?.(undefined, accepted, text === prompt ? undefined : text);
    };
    page.on('Page.javascriptDialogClosed', ({ result, userInput }) => closed(result, userInput));
    page.on('Inspector.targetCrashed', () => closed());
    void page.ended.then(() => closed());
    void page.prepare('Page.enable', {});
  }

  /** Returns the dialog that a page has open. */
  of(page: CdpSession): PageDialog | undefined {
    return this.#open.get(page);
  }

  /** Returns a promise that resolves when the page's dialog closes. Undefined if the page has none open. */
  closed(page: CdpSession): Promise<void> | undefined {
    if (!this.#open.has(page)) return undefined;
    return new Promise((resolve) => {
      const stop = this.watch(() => {
        if (this.#open.has(page)) return;
        stop();
        resolve();
      });
    });
  }

  /** Returns all open dialogs. */
  all(): ReadonlyMap<CdpSession, PageDialog> {
    return this.#open;
  }

  /**
   * Answers a page's dialog as a person would. Rejects with `CdpError`, also if another user has already
   * answered it.
   */
  async answer(page: CdpSession, { accept, text }: DialogAnswer): Promise<void> {
    const promptText = text === undefined ? {} : { promptText: text };
    await page.send('Page.handleJavaScriptDialog', { accept, ...promptText });
  }

  #changed(): void {
    for (const onChanged of this.#watchers) onChanged();
  }
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS);
}
