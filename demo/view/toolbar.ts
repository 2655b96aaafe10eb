import { copy } from '../copy.js';
import { find, onAction } from '../dom.js';
import type { Screen } from './screen.js';
import { toast } from '../toast.js';

/** Buttons above the remote browser that control the connection and the view. */
export class Toolbar {
  readonly #screen: Screen;
  #embedUrl = '';

  constructor(screen: Screen) {
    this.#screen = screen;
    const more = find('#more-tools');
    for (const tool of more.querySelectorAll('button')) {
      tool.addEventListener('click', () => more.matches(':popover-open') && more.hidePopover());
    }
    onAction('copy-link', () => void copy(this.#embedUrl, 'Embed link'));
    onAction('open', () => window.open(this.#embedUrl, '_blank', 'noopener'));
    onAction('keyboard', () => screen.browser?.showKeyboard());
    onAction('reconnect', () => this.#reconnect());
    onAction('view-only', (button) => this.#toggleViewOnly(button));
    onAction('mute', (button) => this.#toggleMute(button));
    onAction('fullscreen', () => void this.#fullScreen());
    find("[data-action='fullscreen']").hidden = !document.fullscreenEnabled;
  }

  /** Shows the tools for a session, or hides them. */
  show(embedUrl: string | undefined): void {
    this.#embedUrl = embedUrl ?? '';
    find('.tools').hidden = !embedUrl;
    for (const toggle of ['view-only', 'mute'])
      find(`[data-action='${toggle}']`).setAttribute('aria-pressed', 'false');
  }

  #reconnect(): void {
    // The state of the connection shows the result.
    this.#screen.browser?.reconnect().catch(() => undefined);
  }

  #toggleViewOnly(button: HTMLButtonElement): void {
    const { browser } = this.#screen;
    if (!browser) return;
    const viewOnly = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(viewOnly));
    browser.toggleAttribute('view-only', viewOnly);
    toast(viewOnly ? 'View only: your mouse and keys stay here' : 'You have control again');
    if (!viewOnly) browser.focus();
  }

  #toggleMute(button: HTMLButtonElement): void {
    const { browser } = this.#screen;
    if (!browser) return;
    browser.muted = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(browser.muted));
    toast(browser.muted ? 'Muted: no sound here' : 'You hear the browser again');
  }

  async #fullScreen(): Promise<void> {
    const { browser } = this.#screen;
    if (!browser) return;
    try {
      await browser.requestFullscreen({ navigationUI: 'hide' });
      browser.focus();
    } catch {
      toast('This browser did not allow full screen.');
    }
  }
}
