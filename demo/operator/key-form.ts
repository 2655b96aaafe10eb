import { find, findA } from '../dom.js';

/** Form for the operator key. */
export class KeyForm {
  readonly #input = findA(HTMLInputElement, '#operator-key');
  readonly #error = find('.form-error');

  constructor(onKey: (key: string) => void) {
    find('.start-form').addEventListener('submit', (event) => {
      event.preventDefault();
      const key = this.#input.value.trim();
      if (key === '') {
        this.refuse('Enter an operator key.');
        return;
      }
      this.#error.hidden = true;
      this.#input.removeAttribute('aria-invalid');
      this.#input.value = '';
      onKey(key);
    });
  }

  /** Focuses the input. Call it after the form is shown. */
  focus(): void {
    this.#input.focus();
  }

  /** Shows an error about the key. */
  refuse(sentence: string): void {
    this.#error.textContent = sentence;
    this.#error.hidden = false;
    this.#input.setAttribute('aria-invalid', 'true');
    this.focus();
  }
}
