import type { RecordedEvent } from './event-queue.js';

/** Counts the commands of each agent by kind. A flush writes one event for each agent that sent commands. */
export class CommandLog {
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param write receives the events */
  constructor(private readonly write: (event: RecordedEvent) => void) {}

  /** Counts a command of an agent. */
  add(user: string, kind: string): void {
    const counts = this.#counts.get(user) ?? new Map<string, number>();
    this.#counts.set(user, counts.set(kind, (counts.get(kind) ?? 0) + 1));
  }

  /** Writes the counts of one agent, or of all agents if `user` is undefined. */
  flush(user?: string): void {
    for (const [id, counts] of this.#counts) {
      if (user !== undefined && id !== user) continue;
      this.#counts.delete(id);
      this.write({ type: 'commands', user: id, kinds: Object.fromEntries(counts) });
    }
  }
}
