import { Silence } from './silence.js';

/**
 * A viewer that tells of held keys does so every 100 ms. Longer than a line falters for, and half of the time after which the
 * display repeats a key.
 */
const DOUBTFUL_MS = 300;
/** What was kept back by a line comes at once; a viewer's next word takes its time. */
const FLOWS_MS = 80;

/** What is done with the keys of a viewer. */
export interface WatchedKeys {
  /** Lifts those that repeat. */
  doubtKeys(): void;
  /** Puts down again those that were doubted and not let go of since. */
  confirmKeys(): void;
}

/**
 * Doubts the keys of a viewer of which nothing is heard. What it says of them next may be as old as the silence, with the news
 * behind it that they came up: it counts when the line has flowed for a moment.
 */
export class KeyWatch {
  readonly #silence: Silence;
  #doubts = false;
  #flowsSince: number | undefined;

  constructor(private readonly keys: () => WatchedKeys) {
    this.#silence = new Silence(DOUBTFUL_MS, () => {
      this.#doubts = true;
      this.#flowsSince = undefined;
      this.keys().doubtKeys();
    });
  }

  /** Some message has come. */
  heard(): void {
    this.#silence.heard();
    if (this.#doubts) this.#flowsSince ??= performance.now();
  }

  /** The viewer says that keys are down. */
  held(): void {
    if (!this.#doubts || performance.now() - (this.#flowsSince ?? Infinity) < FLOWS_MS) return;
    this.#doubts = false;
    this.keys().confirmKeys();
  }

  close(): void {
    this.#silence.close();
  }
}
