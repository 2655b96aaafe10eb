import type { InputWithoutSeq } from '../protocol/index.js';

/** A source of input that remembers what is held down. */
export interface Holder {
  /** The remote side has let go of everything: forget it here too. Sends nothing. */
  forget(): void;
}

/**
 * Keeps keys, buttons and fingers from getting stuck. Whatever takes the user's hands away without telling (another
 * window, a hidden page, navigation) makes the remote side let go of everything that this viewer may hold.
 */
export class ReleaseControl {
  readonly #send: (event: InputWithoutSeq) => void;
  readonly #holders: Holder[] = [];
  readonly #listening = new AbortController();
  #mayHold = false;

  constructor(send: (event: InputWithoutSeq) => void) {
    this.#send = send;
    const { signal } = this.#listening;
    window.addEventListener('blur', () => this.release(), { signal });
    window.addEventListener('pagehide', () => this.release(), { signal });
    document.addEventListener('visibilitychange', () => document.hidden && this.release(), { signal });
  }

  add(holder: Holder): void {
    this.#holders.push(holder);
  }

  /** Sends an event on its way, taking note that something may be held from now on. */
  readonly send = (event: InputWithoutSeq): void => {
    if (
      event.type === 'key' ||
      event.type === 'button' ||
      event.type === 'touch' ||
      event.type === 'composition'
    ) {
      this.#mayHold = true;
    }
    this.#send(event);
  };

  /** Lets go of everything. Sends nothing when nothing was touched since the last time. */
  release(): void {
    for (const holder of this.#holders) holder.forget();
    if (!this.#mayHold) return;
    this.#mayHold = false;
    this.#send({ type: 'release', modifiers: 0 });
  }

  /** Lets go and stops listening. */
  close(): void {
    this.release();
    this.#listening.abort();
  }
}
