import type { InputEvent } from 'cloud-browser/protocol';

/** Milliseconds for which keys and scrolls of a user are counted together. */
const COUNT_MS = 1_000;

/** An event of a recording. `type` names its kind. */
export type RecordedEvent = { type: string } & Readonly<Record<string, unknown>>;

interface Counts {
  since: number;
  keys: number;
  characters: number;
  scrolls: number;
}

/**
 * Returns the events of users' input. Keys and text are only counted, because a recording never contains what
 * users type.
 */
export class InputLog {
  readonly #counts = new Map<string, Counts>();

  /** @param write receives the events, with their times in milliseconds of the recording */
  constructor(private readonly write: (event: RecordedEvent, time: number) => void) {}

  /** Adds the input of a user at a time of the recording, in milliseconds. */
  add(user: string, event: InputEvent, time: number): void {
    if (event.type === 'button' && event.pressed) {
      this.flush(time, user);
      const { x, y, button } = event;
      this.write({ type: 'click', user, x, y, button }, time);
    } else if (event.type === 'touch') {
      this.#touch(user, event, time);
    } else if (event.type === 'paste') {
      this.flush(time, user);
      this.write({ type: 'paste', user }, time);
    } else this.#count(user, event, time);
  }

  /** Writes the counts that are complete. With a user, writes all counts of this user. */
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

  #writeCounts(user: string, { since, keys, characters, scrolls }: Counts): void {
    this.#counts.delete(user);
    if (keys > 0 || characters > 0) this.write({ type: 'typing', user, keys, characters }, since);
    if (scrolls > 0) this.write({ type: 'scroll', user, steps: scrolls }, since);
  }

  #touch(user: string, event: Extract<InputEvent, { type: 'touch' }>, time: number): void {
    const point = event.points.at(-1);
    if (event.phase !== 'start' || !point) return;
    this.flush(time, user);
    this.write({ type: 'touch', user, x: point.x, y: point.y }, time);
  }

  #count(user: string, event: InputEvent, time: number): void {
    const keys = event.type === 'key' && event.pressed ? 1 : 0;
    const characters = event.type === 'text' ? [...event.text].length : 0;
    const scrolls = event.type === 'wheel' ? 1 : 0;
    if (keys + characters + scrolls === 0) return;
    this.flush(time);
    const counts = this.#counts.get(user) ?? { since: time, keys: 0, characters: 0, scrolls: 0 };
    counts.keys += keys;
    counts.characters += characters;
    counts.scrolls += scrolls;
    this.#counts.set(user, counts);
  }
}
