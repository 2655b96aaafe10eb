import { lentApiKey } from './api.js';
import { find, findA } from './dom.js';

/**
 * Storage key. `localStorage` contains a key that the service lends: it works in every tab until the service
 * ends. `sessionStorage` contains the visitor's own key.
 */
const STORED = 'cloud-browser-demo.key';
const REFUSED =
  'The service does not know this key. Enter another one, or open the newest address on the terminal of the service.';

/**
 * Key for calls of the service. The address that the service prints ends in a one-time secret. The page
 * exchanges it for the key of this run. Without a secret it asks the visitor for a key.
 */
export class ApiKey {
  /** Resolves to the error of the exchange. It is shown once. */
  #failure = exchangeSecret();
  #refused = false;

  constructor() {
    // Entering an address with a new secret does not reload an open page.
    addEventListener('hashchange', () => {
      this.#failure = exchangeSecret();
    });
  }

  /** Returns the key. Asks the visitor if there is none. Null if the visitor cancels. */
  async get(): Promise<string | null> {
    const failure = await this.#failure;
    this.#failure = Promise.resolve(undefined);
    const known = localStorage.getItem(STORED) ?? sessionStorage.getItem(STORED);
    if (known !== null) return known;
    if (failure) throw failure;
    return ask(this.#refused);
  }

  /**
   * Returns the key. Throws if the visitor cancels.
   *
   * @param what the visitor sees with a key, for the error's sentence
   */
  async require(what: string): Promise<string> {
    const key = await this.get();
    if (key === null) throw new Error(`Enter an API key to see ${what}.`);
    return key;
  }

  /** Forgets the key that the service refused. The next call asks the visitor for another one. */
  forget(): void {
    this.#refused = true;
    localStorage.removeItem(STORED);
    sessionStorage.removeItem(STORED);
  }
}

/** Returns the key that the service lends for this run, or null. */
export function lentKey(): string | null {
  return localStorage.getItem(STORED);
}

/**
 * Exchanges the secret in this page's address for a key, if there is one, and stores the key. Resolves to the
 * error if the exchange fails.
 */
export async function exchangeSecret(): Promise<Error | undefined> {
  const secret = /^#start=(.+)$/.exec(location.hash)?.[1];
  if (secret === undefined) return undefined;
  // Remove the secret immediately: the address may be copied, and the secret works only once.
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    localStorage.setItem(STORED, await lentApiKey(secret));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Asks the visitor for a key.
 * @param again true if the service refused the previous key
 */
function ask(again: boolean): Promise<string | null> {
  const dialog = findA(HTMLDialogElement, '.key-dialog');
  const input = findA(HTMLInputElement, '#api-key');
  const cancel = findA(HTMLButtonElement, "button[value='cancel']", dialog);
  if (again) find('.key-note', dialog).textContent = REFUSED;
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
