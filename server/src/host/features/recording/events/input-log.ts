import type { InputEvent } from 'cloud-browser/protocol';
import type { RecordedEvent } from './event-queue.js';
import { meaningOf } from './key-meaning.js';
import { PressLog } from './press-log.js';
import { TouchLog } from './touch-log.js';

/** Milliseconds for which keys and scrolls of a user are counted together. */
const COUNT_MS = 1_000;

interface Counts {
  since: number;
  keys: number;
  characters: number;
  scrolls: number;
}

/**
 * Writes the events of users' input. Typed keys and text are only counted, because a recording never contains
 * typed text. Shortcuts and named keys, such as Enter, are written with their names.
 */
export class InputLog {
  readonly #counts = new Map<string, Counts>();
  readonly #presses: PressLog;
  readonly #touches: TouchLog;
  #time = 0;

  /** @param write receives the events, with their times in milliseconds of the recording */
  constructor(private readonly write: (event: RecordedEvent, time: number) => void) {
    const writeNow = (user: string, event: RecordedEvent) => this.#writeNow(user, event);
    this.#presses = new PressLog(writeNow);
    this.#touches = new TouchLog(writeNow);
  }

  /** Adds the input of a user at a time of the recording, in milliseconds. */
  add(user: string, event: InputEvent, time: number): void {
    this.#time = time;
    if (event.type === 'button') this.#presses.add(user, event, time);
    else if (event.type === 'touch') this.#touches.add(user, event);
    else if (event.type === 'paste') this.#writeNow(user, { type: 'paste', user });
    else if (event.type === 'key' && event.pressed) this.#key(user, event);
    else if (event.type === 'text') this.#count(user, { characters: [...event.text].length });
    else if (event.type === 'wheel') this.#count(user, { scrolls: 1 });
  }

  /**
   * Writes each user's counts that began at least {@link COUNT_MS} ago. If `user` is given, writes only the
   * counts of this user, also if they are newer.
   */
  flush(time: number, user?: string): void {
    for (const [id, counts] of this.#counts) {
      if (user === undefined ? time - counts.since < COUNT_MS : id !== user) continue;
      this.#writeCounts(id, counts);
    }
  }

  /** Writes all counts. */
  end(): void {
    for (const [id, counts] of this.#counts) this.#writeCounts(id, counts);
  }

  #key(user: string, event: Extract<InputEvent, { type: 'key' }>): void {
    const { kind, keys } = meaningOf(event);
    if (kind === 'typing') this.#count(user, { keys: 1 });
    else if (kind !== 'none') this.#writeNow(user, { type: kind, user, keys });
  }

  #writeNow(user: string, event: RecordedEvent): void {
    this.flush(this.#time, user);
    this.write(event, this.#time);
  }

  #writeCounts(user: string, { since, keys, characters, scrolls }: Counts): void {
    this.#counts.delete(user);
    if (keys > 0 || characters > 0) this.write({ type: 'typing', user, keys, characters }, since);
    if (scrolls > 0) this.write({ type: 'scroll', user, steps: scrolls }, since);
  }

  #count(user: string, { keys = 0, characters = 0, scrolls = 0 }: Partial<Counts>): void {
    this.flush(this.#time);
    const counts = this.#counts.get(user) ?? { since: this.#time, keys: 0, characters: 0, scrolls: 0 };
    counts.keys += keys;
    counts.characters += characters;
    counts.scrolls += scrolls;
    this.#counts.set(user, counts);
  }
}
