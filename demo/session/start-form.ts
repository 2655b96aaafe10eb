import { find, findA } from '../dom.js';
import { sentence } from './session-keeper.js';
import { startUrl } from './start-url.js';

/** Short form for a new session: an address, and a start button. */
export class StartForm {
  readonly #submit = findA(HTMLButtonElement, '.start-form [type=submit]');
  readonly #address = findA(HTMLInputElement, '#start-url');

  /** @param start receives a complete address, or an empty string for none. The form shows its rejection */
  constructor(private readonly start: (address: string) => Promise<void>) {
    findA(HTMLFormElement, '.start-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const address = this.#check();
      if (address !== null) void this.#run(address);
    });
  }

  async #run(address: string): Promise<void> {
    this.#setBusy(true);
    this.#showError('');
    try {
      await this.start(address);
    } catch (error) {
      this.#showError(sentence(error));
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy: boolean): void {
    this.#submit.disabled = busy;
    this.#submit.textContent = busy ? 'Starting…' : 'Start session';
  }

  /** Shows an error of the whole request. An empty text hides it. */
  #showError(text: string): void {
    const error = find('.start-form .form-error');
    error.textContent = text;
    error.hidden = text === '';
  }

  #check(): string | null {
    const address = startUrl(this.#address.value.trim());
    const error = address === null ? 'Enter a web address, for example https://example.com.' : '';
    find('#start-url-error').textContent = error;
    this.#address.setAttribute('aria-invalid', String(error !== ''));
    if (error) this.#address.focus();
    return address;
  }
}
