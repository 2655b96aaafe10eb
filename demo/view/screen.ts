import '../../src/element/define.js';
import type { CloudBrowserElement } from '../../src/element/define.js';
import type { SessionRequest } from '../api.js';
import { STATUS } from './connection-status.js';
import { find } from '../dom.js';
import { follows } from './screen-size.js';

/** Notice on the stage while there is no browser. */
export type Notice = 'empty' | 'starting' | 'ended' | 'replay';

/** The stage: the remote browser in its window, or a notice instead. */
export class Screen {
  readonly #screen = find('.screen');
  #browser: CloudBrowserElement | undefined;

  get browser(): CloudBrowserElement | undefined {
    return this.#browser;
  }

  /**
   * Measures the CSS pixels available for a remote screen. Switches to the layout with a session for the
   * measurement, before the page is painted.
   */
  readonly room = (): { width: number; height: number } => {
    const { dataset } = document.body;
    const phase = dataset['phase'];
    dataset['phase'] = 'live';
    const { clientWidth, clientHeight } = this.#screen;
    dataset['phase'] = phase;
    return { width: clientWidth, height: clientHeight };
  };

  /**
   * Shows a session on the stage. With a pixel ratio of `auto` its screen follows the stage, unless tabs need
   * more space.
   */
  show(
    embedUrl: string,
    size: Pick<SessionRequest, 'width' | 'height' | 'pixel_ratio' | 'kiosk'>,
  ): CloudBrowserElement {
    this.notice(undefined);
    const browser = document.createElement('cloud-browser');
    browser.setAttribute('embed-url', embedUrl);
    if (size.pixel_ratio === 'auto' && follows(this.room(), size.kiosk))
      browser.setAttribute('resize', 'auto');
    this.#setRatio(size);
    browser.addEventListener('resize', (event) => this.#setRatio(event));
    this.#screen.append(browser);
    this.#browser = browser;
    return browser;
  }

  /** Removes the browser from the stage and shows a notice. */
  notice(notice: Notice | undefined, text = ''): void {
    this.#browser?.remove();
    this.#browser = undefined;
    for (const element of this.#screen.querySelectorAll<HTMLElement>('.notice')) {
      element.hidden = element.dataset['notice'] !== notice;
    }
    if (notice === 'ended') find('.ended-text').textContent = text;
  }

  status(state: string): void {
    find('.status').dataset['status'] = state;
    const text = find('.status-text');
    const words = STATUS[state] ?? state;
    if (text.textContent !== words) text.textContent = words;
  }

  #setRatio({ width, height }: { width: number; height: number }): void {
    this.#screen.style.setProperty('--ratio', String(width / height));
  }
}
