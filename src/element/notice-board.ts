import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How long a sentence is shown: enough to read it twice. */
const DURATION_MS = 8000;

/** The one sentence over the picture that says what has just happened; the newest replaces the one before. */
export class NoticeBoard implements ReactiveController {
  #text: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** What is to be read now. */
  get text(): string | undefined {
    return this.#text;
  }

  /** Shows a sentence for a while; undefined: takes away what is shown. */
  show(text: string | undefined): void {
    clearTimeout(this.#timer);
    this.#text = text;
    if (text !== undefined) this.#timer = setTimeout(() => this.show(undefined), DURATION_MS);
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.show(undefined);
  }
}
