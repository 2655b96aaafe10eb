import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Words } from './lang/texts.js';

/** How long a sentence is shown: enough to read it twice. */
const DURATION_MS = 8000;

/** The one sentence over the picture that says what has just happened; the newest replaces the one before. */
export class NoticeBoard implements ReactiveController {
  #text: string | undefined;
  #key: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** What is to be read now. */
  read(words: Words): string | undefined {
    return this.#text !== undefined && this.#key ? words.told(this.#key, this.#text) : this.#text;
  }

  /** Shows a sentence for a while; undefined: takes away what is shown. @param key of the same in other languages */
  show(text: string | undefined, key?: string): void {
    clearTimeout(this.#timer);
    this.#text = text;
    this.#key = key;
    if (text !== undefined) this.#timer = setTimeout(() => this.show(undefined), DURATION_MS);
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.show(undefined);
  }
}
