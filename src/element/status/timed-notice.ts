import type { ReactiveControllerHost } from 'lit';
import type { Words } from '../lang/texts.js';

/** Milliseconds for which a message is shown. This time is enough to read the message twice. */
const DURATION_MS = 8000;

/**
 * Keeps the message about a recent event that the element shows over the picture. A new message replaces the
 * previous one. The message stays when the element is moved.
 */
export class TimedNotice {
  #text: string | undefined;
  #key: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param duration milliseconds for which a message is shown */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly duration = DURATION_MS,
  ) {}

  /**
   * Returns the message to show now. Translates it if it has a key and `words` is given. Undefined if there
   * is no message.
   */
  read(words?: Words): string | undefined {
    return words && this.#text !== undefined && this.#key ? words.told(this.#key, this.#text) : this.#text;
  }

  /**
   * Shows a message for a limited time. Undefined hides the current message.
   *
   * @param key key of the message's translations
   */
  show(text: string | undefined, key?: string): void {
    clearTimeout(this.#timer);
    this.#text = text;
    this.#key = key;
    if (text !== undefined) this.#timer = setTimeout(() => this.show(undefined), this.duration);
    this.host.requestUpdate();
  }
}
