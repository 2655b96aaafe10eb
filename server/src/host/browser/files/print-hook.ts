import { randomUUID } from 'node:crypto';
import type { CdpSession } from '../cdp/cdp-session.js';

const WORLD = 'session-print';
/** The browser lends the function anew with each process: a page that prints at once waits for it, as often and as long. */
const [RETRIES, RETRY_MS] = [50, 100];

/**
 * Hears when a page is to be printed: by `window.print()`, which does nothing where printing is refused by policy, or by Ctrl+P when
 * the page leaves that to the browser. The page's function tells a world of its own by an event whose name no page knows.
 */
export class PrintHook {
  readonly #event = randomUUID();
  readonly #tell = randomUUID();

  /** Follows a page, or a frame of another process. */
  follow(page: CdpSession, onPrint: () => void): void {
    page.on('Runtime.bindingCalled', ({ name }) => {
      if (name === this.#tell) onPrint();
    });
    page.on('Page.frameNavigated', () => this.#bind(page));
    page.post('Page.enable', {});
    page.post('Page.addScriptToEvaluateOnNewDocument', { source: this.#pageScript(), runImmediately: true });
    const source = this.#worldScript();
    page.post('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD, runImmediately: true });
    this.#bind(page);
  }

  #bind(page: CdpSession): void {
    page.post('Runtime.addBinding', { name: this.#tell, executionContextName: WORLD });
  }

  /** Looks like the browser's own function to a page. */
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
      const tell = (tries) => {
        const told = globalThis['${this.#tell}'];
        if (told) told('');
        else if (tries > 0) setTimeout(tell, ${RETRY_MS}, tries - 1);
      };
      addEventListener('${this.#event}', () => tell(${RETRIES}));
      addEventListener('keydown', (event) => {
        const keys = event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey && event.key.toLowerCase() === 'p';
        if (!keys || !event.isTrusted || event.defaultPrevented) return;
        event.preventDefault();
        tell(${RETRIES});
      });
    }`;
  }
}
