import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { MAX_USERS } from './recording-record.js';

/** Types of the events in which a user or an agent joins. Agents are users too. */
const JOINED: readonly string[] = ['user_joined', 'agent_connected'];
/** Longest id that is kept, in characters. Ids that customers set have at most 64 characters. */
const MAX_ID_CHARS = 100;

/** Collects the ids of the users in a recording from its events. The events are untrusted. */
export class RecordedUsers {
  readonly #ids = new Set<string>();

  get ids(): string[] {
    return [...this.#ids];
  }

  /** Adds the user of an event in which a user joins. Ignores all other events. */
  add(event: string): void {
    // Skips most events before they are parsed, because they have another type.
    if (this.#ids.size >= MAX_USERS || !JOINED.some((type) => event.includes(type))) return;
    try {
      const { type, user } = JSON.parse(event) as { type?: unknown; user?: unknown };
      if (typeof type !== 'string' || typeof user !== 'string' || !JOINED.includes(type)) return;
      this.#ids.add(user.slice(0, MAX_ID_CHARS));
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
