import type { CloudBrowserElement } from '../../src/element/define.js';
import type { Fit } from '../../src/index.js';
import { find, findA, onAction } from '../dom.js';
import { toast } from '../toast.js';

const FITS: readonly Fit[] = ['contain', 'cover', 'fill', 'none'];

/** Controls for files and the clipboard, the fit of the picture on the stage, and the volume. */
export class ViewCard {
  readonly #card = find('.view-card');
  readonly #volume = findA(HTMLInputElement, '#volume');
  #browser: CloudBrowserElement | undefined;

  constructor() {
    for (const radio of this.#card.querySelectorAll<HTMLInputElement>('[name=fit]'))
      radio.addEventListener('change', () => this.#fit(radio.value));
    this.#volume.addEventListener('input', () => {
      if (this.#browser) this.#browser.volume = this.#volume.valueAsNumber / 100;
    });
    onAction('paste', () => void this.#paste());
    onAction('copy', () => this.#browser?.copy());
  }

  /** Applies the controls to this session, or to none. */
  show(browser: CloudBrowserElement | undefined): void {
    this.#browser = browser;
    this.#card.hidden = !browser;
    // A screen that follows the stage always fills it.
    find('.fit-choice', this.#card).hidden = browser?.resizeMode === 'auto';
    findA(HTMLInputElement, '[name=fit][value=contain]', this.#card).checked = true;
    this.#volume.value = '100';
  }

  #fit(value: string): void {
    const fit = FITS.find((each) => each === value);
    if (fit) this.#browser?.setAttribute('fit', fit);
  }

  async #paste(): Promise<void> {
    try {
      await this.#browser?.paste();
      this.#browser?.focus();
    } catch {
      toast('This browser did not let the page read the clipboard. Press Control + V on the picture.');
    }
  }
}
