import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { until } from './until.js';

/** An event of a recording. */
export type RecordedEvent = Record<string, unknown> & { t: number; type: string };

/** Kinds of events that acts cause in addition, and which are not counted. */
const INCIDENTAL = new Set([
  'navigation',
  'title',
  'control_gained',
  'control_lost',
  'tab_activated',
  'commands',
]);

/** The events of a recording, as its file grows. */
export class RecordedEvents {
  /** Numbers of events that the acts of the test must cause, by kind. */
  readonly #expected = new Map<string, number>();
  #seen = 0;

  constructor(private readonly path: string) {}

  /** Reads all events that were written completely. */
  async all(): Promise<RecordedEvent[]> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as RecordedEvent);
  }

  /** Resolves to the number of events of a kind. */
  async count(kind: string): Promise<number> {
    return (await this.all()).filter(({ type }) => type === kind).length;
  }

  /**
   * Performs an act. Resolves to the events with these fields, which must follow in this order, after all
   * earlier ones.
   */
  async after(
    name: string,
    act: () => unknown,
    ...expected: readonly Record<string, unknown>[]
  ): Promise<RecordedEvent[]> {
    const start = this.#seen;
    await act();
    this.#expect(expected);
    let found: RecordedEvent[] = [];
    await until(`the events of "${name}" are written`, async () => {
      const events = (await this.all()).slice(start);
      found = [];
      let at = 0;
      for (const fields of expected) {
        const next = events.findIndex((event, index) => index >= at && matches(event, fields));
        if (next < 0) return false;
        found.push(events[next] as RecordedEvent);
        at = next + 1;
      }
      this.#seen = start + at;
      return true;
    }).catch(async () => {
      const events = (await this.all()).slice(start).map((event) => JSON.stringify(event));
      throw new Error(`${name}: expected ${JSON.stringify(expected)}, got:\n${events.join('\n')}`);
    });
    return found;
  }

  /** Resolves when the recording has these events, in any order. All later events follow the last of them. */
  async begun(...expected: readonly Record<string, unknown>[]): Promise<void> {
    this.#expect(expected);
    await until('the first events are written', async () => {
      const events = await this.all();
      const found = expected.map((fields) => events.findIndex((event) => matches(event, fields)));
      this.#seen = Math.max(...found) + 1;
      return found.every((at) => at >= 0);
    });
  }

  #expect(events: readonly Record<string, unknown>[]): void {
    for (const { type } of events) {
      const kind = String(type);
      this.#expected.set(kind, (this.#expected.get(kind) ?? 0) + 1);
    }
  }

  /** Checks that no act was written twice. */
  async checkCounts(): Promise<void> {
    const counts = new Map<string, number>();
    for (const { type } of await this.all()) counts.set(type, (counts.get(type) ?? 0) + 1);
    for (const [type, expected] of this.#expected)
      if (!INCIDENTAL.has(type)) assert.equal(counts.get(type), expected, `number of events ${type}`);
  }

  /** Kinds of events that the acts have caused. */
  get kinds(): string[] {
    return [...this.#expected.keys()];
  }
}

function matches(event: RecordedEvent, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, value]) =>
    value === undefined ? !(name in event) : JSON.stringify(event[name]) === JSON.stringify(value),
  );
}
