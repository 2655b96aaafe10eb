import { lentKey } from '../api-key.js';

/** In `sessionStorage`: it is gone with the tab. */
const STORED = 'cloud-browser-operator.key';

/** The key that nodes are asked for with. */
export class OperatorKey {
  /**
   * A service that made its API key itself takes that for an operator's too, and has lent it to the demo.
   * Null: somebody has to be asked.
   */
  #key = sessionStorage.getItem(STORED) ?? lentKey();

  get value(): string | null {
    return this.#key;
  }

  /** Somebody entered it, and not the demo. */
  get entered(): boolean {
    return sessionStorage.getItem(STORED) !== null;
  }

  /** Keeps a key for this tab. */
  enter(key: string): void {
    this.#key = key;
    sessionStorage.setItem(STORED, key);
  }

  /** Forgets it; that of the demo stays the demo's. */
  forget(): void {
    this.#key = null;
    sessionStorage.removeItem(STORED);
  }
}
