import type { InputWithoutSeq } from '../protocol/index.js';
import type { InputSink } from './input-target.js';
import type { RemoteKey } from './keyboard/remote-key.js';
import { textPieces } from './keyboard/text-pieces.js';

/** Events after which a key, button or finger may be down, or a text may be in composition. */
const HOLDING = new Set<InputWithoutSeq['type']>(['key', 'button', 'touch', 'composition']);

/** A source of input that tracks its pressed keys, buttons and fingers. */
export interface Holder {
  /**
   * Forgets all pressed keys, buttons and fingers, because the remote side has released them. Sends nothing.
   */
  forget(): void;
}

/**
 * Keeps keys, buttons and touches from getting stuck. If the user leaves the page (another window, a hidden
 * page, navigation), the browser may not report releases. Then this class sends a release of everything that
 * may be pressed.
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

  /** Sends an event. Records if a key, button or finger may now be down. */
  send(event: InputWithoutSeq): void {
    if (HOLDING.has(event.type)) this.#mayHold = true;
    this.sink.sendInput(event);
  }

  /** Sends text like typed text, in pieces that fit into one event each. */
  sendText(text: string): void {
    for (const piece of textPieces(text)) this.send({ type: 'text', text: piece, modifiers: 0 });
  }

  /** Presses and releases a key. */
  tap({ code, key, modifiers }: RemoteKey): void {
    for (const pressed of [true, false])
      this.send({ type: 'key', code, key, modifiers, pressed, repeat: false });
  }

  /** Releases everything. Sends nothing if nothing was pressed since the last release. */
  release(): void {
    for (const holder of this.#holders) holder.forget();
    if (!this.#mayHold) return;
    this.#mayHold = false;
    this.sink.sendInput({ type: 'release', modifiers: 0 });
  }

  /** Releases everything and stops listening. */
  close(): void {
    this.release();
    this.#listening.abort();
  }
}
