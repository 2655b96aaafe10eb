import type { DialogAnswer, PageDialog } from 'cloud-browser/protocol';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Texts of pages can have any length. */
const MAX_TEXT_CHARS = 4_096;

/**
 * What pages ask people by `alert`, `confirm`, `prompt` or `beforeunload`. Chromium shows these dialogs as ever, and a page stands
 * still while it has one open.
 */
export class Dialogs {
  readonly #open = new Map<CdpSession, PageDialog>();
  /** Told when a page opens a dialog. */
  onOpened: ((page: CdpSession, dialog: PageDialog) => void) | undefined;
  /** Told when that dialog is answered, or gone with its page. */
  onClosed: ((page: CdpSession) => void) | undefined;
  /** Told of both: a page with a dialog takes no text, the dialog may. */
  onChanged: (() => void) | undefined;

  /** Follows a page's dialogs, from before it can open one: of one that is open already, Chromium tells nothing. */
  follow(page: CdpSession): void {
    page.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt, url }) => {
      const dialog = { type, message: cut(message), defaultPrompt: cut(defaultPrompt ?? ''), url: cut(url) };
      this.#open.set(page, dialog);
      this.onOpened?.(page, dialog);
      this.onChanged?.();
    });
    const closed = () => {
      if (!this.#open.delete(page)) return;
      this.onClosed?.(page);
      this.onChanged?.();
    };
    page.on('Page.javascriptDialogClosed', closed);
    page.on('Inspector.targetCrashed', closed);
    void page.ended.then(closed);
    page.post('Page.enable', {});
  }

  /** The dialog that a page has open. */
  of(page: CdpSession): PageDialog | undefined {
    return this.#open.get(page);
  }

  /** All dialogs that are open. */
  all(): ReadonlyMap<CdpSession, PageDialog> {
    return this.#open;
  }

  /** Answers a page's dialog as a person would. Rejects with `CdpError`, also when somebody else was faster. */
  async answer(page: CdpSession, { accept, text }: DialogAnswer): Promise<void> {
    const promptText = text === undefined ? {} : { promptText: text };
    await page.send('Page.handleJavaScriptDialog', { accept, ...promptText });
  }
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS);
}
