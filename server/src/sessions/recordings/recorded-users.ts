import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { MAX_USERS } from './recording-record.js';

const JOINED = 'user_joined';
/** Longest id that is kept, in characters. Ids that customers set have at most 64 characters. */
const MAX_ID_CHARS = 100;

/** Collects the ids of the users in a recording from its events. The events are untrusted. */
export class RecordedUsers {
  readonly #ids = new Set<string>();

  get ids(): string[] {
    return [...this.#ids];
  }

  /** Adds the user of an event `user_joined`. Ignores all other events. */
  add(event: string): void {
    // Skips most events before they are parsed, because they have another type.
    if (!event.includes(JOINED) || this.#ids.size >= MAX_USERS) return;
    try {
      const { type, user } = JSON.parse(event) as { type?: unknown; user?: unknown };
      if (type === JOINED && typeof user === 'string') this.#ids.add(user.slice(0, MAX_ID_CHARS));
    } catch {
      // The last line of a killed service may be incomplete.
    }
  }

  /** Returns the ids in a file of events. */
  static async in(events: Readable): Promise<string[]> {
    const users = new RecordedUsers();
    for await (const line of createInterface({ input: events, crlfDelay: Infinity })) users.add(line);
    return users.ids;
  }
}
