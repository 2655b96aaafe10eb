import { lentKey } from '../api-key.js';

/** Key in `sessionStorage`, which ends with the tab. */
const STORED = 'cloud-browser-operator.key';

/** Key for requests about nodes. */
export class OperatorKey {
  /**
   * A service that made its own API key accepts it as operator key too, and has lent it to the demo. Null if
   * the visitor must enter a key.
   */
  #key = sessionStorage.getItem(STORED) ?? lentKey();

  get value(): string | null {
    return this.#key;
  }

  /** True if the visitor entered the key, and not the demo. */
  get entered(): boolean {
    return sessionStorage.getItem(STORED) !== null;
  }

  /** Keeps a key for this tab. */
  enter(key: string): void {
    this.#key = key;
    sessionStorage.setItem(STORED, key);
  }

  /** Forgets the key. The demo keeps its own. */
  forget(): void {
    this.#key = null;
    sessionStorage.removeItem(STORED);
  }
}
