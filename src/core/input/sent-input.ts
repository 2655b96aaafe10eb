import type { InputEvent } from '../../protocol/index.js';

/** Maximum number of kept events. A user produces fewer in {@link MAX_AGE_MS}. */
const MAX_EVENTS = 200;
/**
 * Maximum age of an event that is sent again, in milliseconds. Later the user may expect its effect
 * elsewhere. A dead connection is noticed after 6 s.
 */
const MAX_AGE_MS = 10_000;

/** An input event with its number. */
type Numbered = Exclude<InputEvent, { type: 'ack' }>;

/**
 * Keeps the newest input events that were sent. Events that were sent into a dead connection are lost. The
 * client sends them again when it has reconnected. Moves and turns of the wheel are not kept, and neither are
 * repeats of keys, which the remote display makes, nor unfinished text, which the finished text follows.
 */
export class SentInput {
  /** The kept events, oldest first, each with the time at which it was sent. */
  #events: (Numbered & { at: number })[] = [];
  /** Number of the newest event that is not kept any more. */
  #dropped = 0;

  /** Records an event that was sent. */
  add(event: Numbered, now: number): void {
    const { type } = event;
    // The content of a paste is lost too, and the events after it rely on it. So nothing up to a lost paste
    // is sent again.
    if (type === 'paste') [this.#events, this.#dropped] = [[], event.seq];
    // A newer position of the fingers replaces the previous one. Without any, a swipe would be a tap.
    if (isSwipe(event) && isSwipe(this.#events.at(-1))) this.#events.pop();
    if (type === 'key' ? !event.repeat : /button|text|touch|release/.test(type))
      this.#events.push({ ...event, at: now });
    this.#trim(now);
  }

  /**
   * Returns the events to send again, oldest first. Keeps them, because the new connection can die too.
   * Returns none if one of them is too old or was dropped, because the others could mean something else.
   *
   * @param received number of the newest event that has arrived. Undefined or null: returns none
   */
  after(received: number | null | undefined, now: number): Numbered[] {
    this.#trim(now);
    const from = received ?? -1;
    this.#events = this.#events.filter(({ seq }) => from >= this.#dropped && seq > from);
    return [...this.#events];
  }

  #trim(now: number): void {
    for (;;) {
      const [oldest] = this.#events;
      if (!oldest || (this.#events.length <= MAX_EVENTS && now - oldest.at <= MAX_AGE_MS)) return;
      this.#events.shift();
      this.#dropped = oldest.seq;
    }
  }
}

function isSwipe(event: Numbered | undefined): boolean {
  return event?.type === 'touch' && event.phase === 'move';
}
