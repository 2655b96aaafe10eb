import type { InputWithoutSeq } from '../protocol/index.js';
import type { InputSink } from './input-target.js';

/** Events that wait for a paste at most; whoever makes more than that does not wait for it. */
const MAX_WAITING = 512;

/**
 * Keeps keys and presses behind a paste whose content is still on its way: Enter after Control+V sends what was pasted. The pointer
 * goes on moving.
 */
export class PasteGate implements InputSink {
  readonly #waiting: InputWithoutSeq[] = [];
  #held = 0;

  constructor(private readonly sink: InputSink) {}

  sendInput(event: InputWithoutSeq): boolean {
    const passes = event.type === 'move' || event.type === 'wheel';
    if (this.#held === 0 || passes) return this.sink.sendInput(event);
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING) this.#flush();
    return true;
  }

  /** Keeps what comes from now on until a promise settles; what that sends by `pass` goes first. */
  hold(until: (pass: InputSink) => Promise<void>): void {
    this.#held++;
    // How a paste failed is told where it was begun.
    void until(this.sink)
      .catch(() => undefined)
      .finally(() => {
        this.#held--;
        if (this.#held === 0) this.#flush();
      });
  }

  #flush(): void {
    for (const event of this.#waiting.splice(0)) this.sink.sendInput(event);
  }
}
