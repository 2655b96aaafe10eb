import { lentApiKey } from './api.js';
import { findA } from './dom.js';

const STORED = 'cloud-browser-demo.key';

/** The key to call the service with: lent by the service, or the visitor's own for as long as the tab lives. */
export class ApiKey {
  #lent: Promise<string | null> | undefined;

  /** Asks the visitor when there is no other key; null when they would rather not. */
  async get(): Promise<string | null> {
    this.#lent ??= lentApiKey();
    try {
      return (await this.#lent) ?? sessionStorage.getItem(STORED) ?? (await ask());
    } catch (error) {
      this.#lent = undefined;
      throw error;
    }
  }

  /** The service did not accept the key: ask anew next time. */
  forget(): void {
    this.#lent = Promise.resolve(null);
    sessionStorage.removeItem(STORED);
  }
}

function ask(): Promise<string | null> {
  const dialog = findA(HTMLDialogElement, '.key-dialog');
  const input = findA(HTMLInputElement, '#api-key');
  const cancel = findA(HTMLButtonElement, "button[value='cancel']", dialog);
  return new Promise((resolve) => {
    const closed = () => {
      const key = dialog.returnValue === 'ok' ? input.value.trim() : '';
      input.value = '';
      if (key) sessionStorage.setItem(STORED, key);
      resolve(key || null);
    };
    dialog.returnValue = '';
    cancel.onclick = () => dialog.close();
    dialog.addEventListener('close', closed, { once: true });
    dialog.showModal();
  });
}
