import type { CloudBrowserClient } from '../../core/index.js';
import { Modifier, type InputWithoutSeq } from '../../protocol/index.js';

/**
 * Longest interruption after which the text is sent. Later the user may expect it elsewhere, for example
 * because another user has changed the page. Milliseconds.
 */
const MAX_AGE_MS = 10_000;
/** Maximum number of kept events. A person types fewer in {@link MAX_AGE_MS}. */
const MAX_EVENTS = 512;
const SHORTCUT = Modifier.control | Modifier.alt | Modifier.meta;

/**
 * Keeps what the user types while the client reconnects, and sends it in its order when the client is
 * connected again. A press of the pointer or a shortcut is not kept, because the user cannot see what it acts
 * on. The text after it is not kept either, because it is meant for another place.
 */
export class KeptTyping {
  #events: InputWithoutSeq[] = [];
  #since = 0;
  #keeps = false;

  constructor(
    private readonly client: Pick<CloudBrowserClient, 'state' | 'welcome' | 'sendInput' | 'watchFocus'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Sends or keeps an event. Returns false if the event is lost. */
  sendInput(event: InputWithoutSeq): boolean {
    if (this.client.sendInput(event)) return true;
    if (this.client.state !== 'reconnecting' || !this.#keeps) return false;
    if (isElsewhere(event) || this.#events.length === MAX_EVENTS) {
      this.#keeps = false;
      return false;
    }
    // Unfinished text is not kept, because the input method sends the finished text too. A release is kept,
    // because keys would stay pressed without it. Repeats are made by the remote display.
    const isKey = event.type === 'key' && !event.repeat;
    if (!isKey && event.type !== 'text' && event.type !== 'release') return false;
    this.#events.push(event);
    return true;
  }

  watchFocus(on: boolean): void {
    this.client.watchFocus(on);
  }

  /** Drops the kept text, because the user may not send input any more. */
  forget(): void {
    this.#events = [];
    this.#keeps = false;
  }

  /** Follows the client. Call it after each change of its state. */
  stateChanged(): void {
    const { state, welcome } = this.client;
    const kept = this.#events;
    this.forget();
    this.#keeps = state === 'reconnecting';
    if (this.#keeps) this.#since = this.now();
    if (state !== 'playing' || this.now() - this.#since > MAX_AGE_MS) return;
    // The browser has changed, so the text was meant for something that is not there any more.
    if (welcome?.inputSeq === null) return;
    for (const event of kept) this.client.sendInput(event);
  }
}

/** True for an event after which the text is meant for another place of the page. */
function isElsewhere(event: InputWithoutSeq): boolean {
  switch (event.type) {
    case 'button':
      return event.pressed;
    case 'key':
      return (event.modifiers & SHORTCUT) !== 0;
    case 'touch':
    case 'paste':
      return true;
    default:
      return false;
  }
}
