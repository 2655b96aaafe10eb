import { lentApiKey } from './api.js';
import { find, findA } from './dom.js';

/** In `localStorage`: a lent key works in every tab until the service ends. In `sessionStorage`: the visitor's own. */
const STORED = 'cloud-browser-demo.key';
const REFUSED =
  'The service does not know this key. Enter another one, or open the newest address on the terminal of the service.';

/**
 * The key to call the service with. The address that the service prints ends in a one-time secret, which buys the key of
 * this run; without one the visitor is asked for a key of theirs.
 */
export class ApiKey {
  /** Resolves to the error of the exchange, which is shown once. */
  #failure = exchangeSecret();
  #refused = false;

  constructor() {
    // An address that is entered where the page is open already loads nothing.
    addEventListener('hashchange', () => {
      this.#failure = exchangeSecret();
    });
  }

  /** Asks the visitor when there is no other key; null when they would rather not. */
  async get(): Promise<string | null> {
    const failure = await this.#failure;
    this.#failure = Promise.resolve(undefined);
    const known = localStorage.getItem(STORED) ?? sessionStorage.getItem(STORED);
    if (known !== null) return known;
    if (failure) throw failure;
    return ask(this.#refused);
  }

  /** The service did not accept the key: the visitor is asked for another. */
  forget(): void {
    this.#refused = true;
    localStorage.removeItem(STORED);
    sessionStorage.removeItem(STORED);
  }
}

/** The key that the service has lent for its run, if it has. */
export function lentKey(): string | null {
  return localStorage.getItem(STORED);
}

/** Keeps the key that the secret of this page's address buys, if it has one. Resolves to the error when it buys none. */
export async function exchangeSecret(): Promise<Error | undefined> {
  const secret = /^#start=(.+)$/.exec(location.hash)?.[1];
  if (secret === undefined) return undefined;
  // At once: the address may be copied, and the secret is good only once.
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    localStorage.setItem(STORED, await lentApiKey(secret));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** @param again the key before this one was refused */
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
