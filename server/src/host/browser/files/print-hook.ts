import { randomUUID } from 'node:crypto';
import { pause, systemClock, type Clock } from '../../../platform/time/clock.js';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';

const WORLD = 'session-print';
/**
 * Number of retries, and their interval in milliseconds. The script calls the host through a function, the
 * binding. The host adds the binding again after each navigation, because a new process does not have it. If
 * a page prints before the binding exists, the script retries until it exists.
 */
const [RETRIES, RETRY_MS] = [50, 100];
/**
 * Minimum time between two reports of a document, in milliseconds. `window.print` does not block here, so a
 * page can call it in a loop. All prints of this time are reported once, at its end, because the page may
 * have changed since the last report.
 */
const APART_MS = 100;
/**
 * Origin of Chromium's PDF viewer. Its page contains the toolbar, and a frame with the document's picture. A
 * print of this page would show the toolbar instead of the document.
 */
const PDF_VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai';
/**
 * Reports of a print in the PDF viewer, of one in its frame with the picture of the document, and of one in
 * the document around the viewer.
 */
const [VIEWER, PICTURE, DOCUMENT] = ['viewer', 'picture', 'document'];
/** Presses the PDF viewer's button for saving. The result is true if there is such a button. */
const SAVE_PDF = {
  expression: `{
    let root = origin === '${PDF_VIEWER}' ? document : undefined;
    for (const part of ['pdf-viewer', 'viewer-toolbar', 'viewer-download-controls'])
      root = root?.querySelector(part)?.shadowRoot;
    const button = root?.querySelector('#save');
    button?.click();
    button instanceof Element;
  }`,
  userGesture: true,
};
/**
 * Number of attempts to find the viewer of a PDF in a frame, and their interval in milliseconds. Pages print
 * such a frame as soon as it is loaded, and its viewer loads later.
 */
const [SAVES, SAVE_EVERY_MS] = [20, 250];

/**
 * Reports when a page should be printed. A page should be printed if it calls `window.print()`, or if a user
 * presses Ctrl+P or Ctrl+S and the page does not handle the keys. Ctrl+S saves the page as this PDF, because
 * the browser's own dialog for saving is blocked, so the user would see nothing. The browser itself prints
 * nothing, because a policy forbids printing. A script replaces `window.print` with a function that sends an
 * event to an isolated world. Pages do not know the event's name.
 *
 * In the PDF viewer, the host presses the viewer's button for saving instead. So these keys and the button
 * for printing download the document. The browser's own print dialog would stay empty, because it is blocked.
 */
export class PrintHook {
  readonly #event = randomUUID();
  readonly #notify = randomUUID();
  /** The frames of their own process in a page or a frame, newest last, with the id of the frame around. */
  readonly #frames = new Map<CdpSession, Map<CdpSession, string | undefined>>();

  constructor(private readonly clock: Pick<Clock, 'setTimeout'> = systemClock) {}

  /**
   * Follows a page, or a frame that has its own process.
   *
   * @param parent the target around a frame, which may contain several frames; the browser for a page
   * @param around id of the frame around a frame
   */
  follow(page: CdpSession, parent: CdpSession, onPrint: () => void, around?: string): void {
    this.#remember(page, parent, around);
    page.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== this.#notify) return;
      if (payload === '') onPrint();
      else if (payload === DOCUMENT) void this.#saveInside(page, executionContextId, onPrint);
      else (payload === VIEWER ? page : parent).post('Runtime.evaluate', SAVE_PDF);
    });
    page.on('Page.frameNavigated', () => this.#bind(page));
    const pageScript = { source: this.#pageScript(), runImmediately: true };
    const worldScript = { source: this.#worldScript(), worldName: WORLD, runImmediately: true };
    void page.prepare('Page.enable', {});
    void page.prepare('Page.addScriptToEvaluateOnNewDocument', pageScript);
    void page.prepare('Page.addScriptToEvaluateOnNewDocument', worldScript);
    this.#bind(page);
  }

  #remember(frame: CdpSession, parent: CdpSession, around: string | undefined): void {
    const frames = this.#frames.get(parent) ?? new Map<CdpSession, string | undefined>();
    this.#frames.set(parent, frames.set(frame, around));
    void frame.ended.then(() => {
      frames.delete(frame);
      this.#frames.delete(frame);
    });
  }

  /**
   * Saves the PDF that a frame shows. Prints the page if there is no viewer, for example because the PDF
   * could not be loaded.
   *
   * @param context the context in the frame that has reported the print
   */
  async #saveInside(page: CdpSession, context: number, onPrint: () => void): Promise<void> {
    const printed = await frameOf(page, context);
    for (let attempt = 0; attempt < SAVES; attempt++) {
      if (attempt > 0) await pause(this.clock, SAVE_EVERY_MS);
      for (const [frame, around] of [...(this.#frames.get(page) ?? [])].reverse()) {
        if (printed !== undefined && around !== printed) continue;
        const answer = await frame.send('Runtime.evaluate', SAVE_PDF).catch(() => undefined);
        if (answer?.result.value === true) return;
      }
    }
    onPrint();
  }

  #bind(page: CdpSession): void {
    void page.prepare('Runtime.addBinding', { name: this.#notify, executionContextName: WORLD });
  }

  /** Returns the script that replaces `window.print`. To a page it looks like the browser's own function. */
  #pageScript(): string {
    return `{
      const [dispatch, Made, page] = [EventTarget.prototype.dispatchEvent, Event, window];
      window.print = new Proxy(window.print, {
        apply: () => void Reflect.apply(dispatch, page, [new Made('${this.#event}')]),
      });
    }`;
  }

  #worldScript(): string {
    return `{
      const pdf = '${PDF_VIEWER}';
      const place = () => {
        if (origin === pdf) return '${VIEWER}';
        if (location.ancestorOrigins[0] === pdf) return '${PICTURE}';
        return document.contentType === 'application/pdf' && self !== top ? '${DOCUMENT}' : '';
      };
      const tell = (tries) => {
        const told = globalThis['${this.#notify}'];
        if (told) told(place());
        else if (tries > 0) setTimeout(tell, ${RETRY_MS}, tries - 1);
      };
      let toldAt = -Infinity;
      let again;
      // The page can clear this timer. So the script compares times, and does not wait for the timer.
      const print = () => {
        clearTimeout(again);
        const rest = toldAt + ${APART_MS} - performance.now();
        if (rest > 0) return void (again = setTimeout(print, rest));
        toldAt = performance.now();
        tell(${RETRIES});
      };
      if (origin === pdf)
        addEventListener('click', (event) => {
          if (!event.composedPath().some(({ id }) => id === 'print')) return;
          event.preventDefault();
          event.stopImmediatePropagation();
          print();
        }, true);
      addEventListener('${this.#event}', print);
      const onKey = (event) => {
        const keys = event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey;
        const key = keys && event.isTrusted && !event.defaultPrevented ? event.key.toLowerCase() : '';
        if (key !== 's' && key !== 'p') return;
        if (key === 'p') event.preventDefault();
        print();
      };
      // Many pages handle these shortcuts in listeners on the window. A listener that is added again for each
      // key runs after them.
      addEventListener('keydown', () => {
        removeEventListener('keydown', onKey);
        addEventListener('keydown', onKey);
      }, true);
    }`;
  }
}

/**
 * Returns the id of the frame that has a context. Undefined if the page around it is of another site, or if
 * the frame is gone.
 */
async function frameOf(page: CdpSession, contextId: number): Promise<string | undefined> {
  const objectGroup = randomUUID();
  try {
    const element = { expression: 'frameElement', contextId, objectGroup };
    const { objectId } = (await page.send('Runtime.evaluate', element)).result;
    if (objectId === undefined) return undefined;
    return (await page.send('DOM.describeNode', { objectId })).node.frameId;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  } finally {
    page.post('Runtime.releaseObjectGroup', { objectGroup });
  }
}
