import type { InputWithoutSeq } from '../protocol/index.js';
import type { InputSink } from './input-target.js';
import type { RemoteKey } from './remote-key.js';
import { textPieces } from './text-pieces.js';

/** Events after which something may be held. */
const HOLDING = new Set<InputWithoutSeq['type']>(['key', 'button', 'touch', 'composition']);

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
  readonly #holders: Holder[] = [];
  readonly #listening = new AbortController();
  #mayHold = false;

  constructor(private readonly sink: InputSink) {
    const { signal } = this.#listening;
    window.addEventListener('blur', () => this.release(), { signal });
    window.addEventListener('pagehide', () => this.release(), { signal });
    document.addEventListener('visibilitychange', () => document.hidden && this.release(), { signal });
  }

  add(holder: Holder): void {
    this.#holders.push(holder);
  }

  /** Sends an event on its way, taking note that something may be held from now on. */
  send(event: InputWithoutSeq): void {
    if (HOLDING.has(event.type)) this.#mayHold = true;
    this.sink.sendInput(event);
  }

  /** Sends text as if it had been typed, in pieces of the size that one event may have. */
  sendText(text: string): void {
    for (const piece of textPieces(text)) this.send({ type: 'text', text: piece, modifiers: 0 });
  }

  /** Presses a key and lifts it again. */
  tap({ code, key, modifiers }: RemoteKey): void {
    for (const pressed of [true, false])
      this.send({ type: 'key', code, key, modifiers, pressed, repeat: false });
  }

  /** Lets go of everything. Sends nothing when nothing was touched since the last time. */
  release(): void {
    for (const holder of this.#holders) holder.forget();
    if (!this.#mayHold) return;
    this.#mayHold = false;
    this.sink.sendInput({ type: 'release', modifiers: 0 });
  }

  /** Lets go and stops listening. */
  close(): void {
    this.release();
    this.#listening.abort();
  }
}
