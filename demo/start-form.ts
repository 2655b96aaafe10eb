import { find, findA } from './dom.js';
import { sentence } from './session-keeper.js';
import { startUrl } from './start-url.js';

/** The short form for a new session: an address, and the button that starts it. */
export class StartForm {
  readonly #submit = findA(HTMLButtonElement, '.start-form [type=submit]');
  readonly #address = findA(HTMLInputElement, '#start-url');

  /** @param start gets a complete address, or an empty one for none; what it rejects with is shown in the form */
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

  /** What went wrong with the whole request; empty takes it away. */
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
