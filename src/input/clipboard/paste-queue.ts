import type { InputWithoutSeq } from '../../protocol/index.js';
import type { InputSink } from '../input-target.js';

/** Maximum number of events that wait for a paste. If more events arrive, all waiting events are sent. */
const MAX_WAITING = 512;

/**
 * Delays keys, presses and other events until the content of a paste is sent. So Enter after Control+V
 * submits the pasted text. Pointer moves and the wheel are not delayed.
 */
export class PasteQueue implements InputSink {
  readonly #waiting: InputWithoutSeq[] = [];
  #held = 0;
  #closed = false;

  constructor(private readonly sink: InputSink) {}

  sendInput(event: InputWithoutSeq): boolean {
    const passes = event.type === 'move' || event.type === 'wheel';
    if (this.#held === 0 || passes || this.#closed) return this.sink.sendInput(event);
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING) this.#flush();
    return true;
  }

  /**
   * Delays later events until the promise of the callback settles. Events that the callback sends through
   * `pass` are sent before the delayed events.
   */
  hold(until: (pass: InputSink) => Promise<void>): void {
    this.#held++;
    const pass = { sendInput: (event: InputWithoutSeq) => !this.#closed && this.sink.sendInput(event) };
    // The caller reports a failed paste.
    void until(pass)
      .catch(() => undefined)
      .finally(() => {
        this.#held--;
        if (this.#held === 0) this.#flush();
      });
  }

  /** Drops pastes and events that wait, because the user may not send input any more. Later events pass. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  #flush(): void {
    for (const event of this.#waiting.splice(0)) this.sink.sendInput(event);
  }
}
