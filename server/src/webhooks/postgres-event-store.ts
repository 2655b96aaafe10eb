import { DatabaseError } from '../database/database-error.js';
import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import { readEvent, type EventStore, type StoredEvent } from './event-store.js';

/** Dependencies of a {@link PostgresEventStore}. */
export interface PostgresEventStoreParts {
  database: Pick<Database, 'rows' | 'watch'>;
  /** The code of this node. */
  node: string;
  clock: Clock;
  log: Log;
}

/**
 * Pause in milliseconds before failed writes are retried. They are also retried when the database becomes
 * available again.
 */
const RETRY_MS = 5_000;
/**
 * Time in milliseconds after which a failed write ends the retries of the other writes. While the database is
 * slow, each write fails only at its deadline.
 */
export const FLUSH_MS = 30_000;
/** Maximum number of sessions whose events are taken over in one statement. */
const SESSIONS_AT_ONCE = 100;

const ALL: Statement = { name: 'event_all', text: 'select event from events where node = $1 order by id' };
const ADD: Statement = {
  name: 'event_add',
  text: 'insert into events (id, node, session_id, event) values ($1, $2, $3, $4) on conflict (id) do nothing',
};
const REMOVE: Statement = { name: 'event_remove', text: 'delete from events where id = $1' };
/**
 * Takes over the events of nodes that are gone. A lock allows only one node at a time, so that two nodes do
 * not deliver the events of one session. The number of the lock consists of the bytes of "cbev". The lock
 * alone is not enough: a statement sees the rows as they were at its start. It may get the lock after another
 * node has already taken over the events. So the update compares the node of each event again. For this
 * comparison, PostgreSQL reads the newest version of the row.
 */
const TAKE_OVER: Statement = {
  name: 'event_take_over',
  text: `
    with turn as materialized (select pg_try_advisory_xact_lock(1667392886) as mine),
    abandoned as materialized (
      select id, session_id, node from events
      where (select mine from turn) and not exists (select from nodes where nodes.code = events.node and nodes.state = 'alive')),
    chosen as (select distinct session_id from abandoned order by session_id limit $2),
    taken as (
      update events set node = $1 from abandoned
      where events.id = abandoned.id and events.node = abandoned.node
        and abandoned.session_id in (select session_id from chosen)
      returning events.id, events.event)
    select event from taken order by id`,
};

/**
 * Stores events in a database, each with the node that delivers it. Another node delivers the events of a
 * lost node. While the database is unavailable, events are kept in memory and still delivered. They are
 * written when the database is available again.
 */
export class PostgresEventStore implements EventStore {
  /**
   * Pending writes by event id, in order. The value is the event to add, or null to remove an event that was
   * delivered.
   */
  readonly #unwritten = new Map<string, StoredEvent | null>();
  readonly #stopWatching: () => void;
  readonly #retries: Repetition;
  #flushing: Promise<void> | undefined;

  constructor(private readonly parts: PostgresEventStoreParts) {
    this.#retries = repeat(parts.clock, { every: Infinity }, () => this.flush());
    this.#stopWatching = parts.database.watch((available) => {
      if (available) void this.flush();
    });
  }

  async all(): Promise<StoredEvent[]> {
    return read(await this.parts.database.rows(ALL, [this.parts.node]));
  }

  /**
   * Stores an event. If this fails, keeps the event in memory and writes it as soon as possible. Logs a
   * warning for the first such event. Resolves in both cases.
   */
  async add(event: StoredEvent): Promise<void> {
    await this.#write(event.id, event);
  }

  async remove(id: string): Promise<void> {
    await this.#write(id, null);
  }

  async takeOver(): Promise<StoredEvent[]> {
    return read(await this.parts.database.rows(TAKE_OVER, [this.parts.node, SESSIONS_AT_ONCE]));
  }

  /**
   * Retries failed writes. Resolves when each write was tried again, or when the database cannot be reached.
   * A write that fails for another reason does not prevent the others.
   */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Retries failed writes once more, then stops. */
  async close(): Promise<void> {
    // A retry that is already running may have begun before the last failed write.
    await this.#flushing;
    await this.flush();
    this.#stopWatching();
    this.#retries.stop();
    if (this.#unwritten.size > 0)
      this.parts.log.error('events could not be stored', { events: this.#unwritten.size });
  }

  async #write(id: string, event: StoredEvent | null): Promise<void> {
    try {
      await this.#store(id, event);
      // Drops a pending write of the event itself, because the event was delivered.
      if (event === null) this.#unwritten.delete(id);
    } catch (error) {
      if (this.#unwritten.size === 0)
        this.parts.log.warn('events are kept in memory until the database can be written to', { error });
      this.#unwritten.set(id, event);
      this.#retries.runIn(RETRY_MS);
    }
  }

  async #flush(): Promise<void> {
    const until = this.parts.clock.now() + FLUSH_MS;
    // Events that are delivered during the loop leave the map, so the loop skips them. They must not be
    // stored after their delivery.
    for (const [id, event] of this.#unwritten) {
      try {
        await this.#store(id, event);
      } catch (error) {
        this.#retries.runIn(RETRY_MS);
        if (isUnreachable(error) || this.parts.clock.now() >= until) return;
        continue;
      }
      if (this.#unwritten.get(id) === event) this.#unwritten.delete(id);
      // The event was delivered during this write. Its removal may have run before the write, so it is
      // removed again.
      else if (!this.#unwritten.has(id)) this.#unwritten.set(id, null);
    }
  }

  async #store(id: string, event: StoredEvent | null): Promise<void> {
    const { database, node } = this.parts;
    if (event) await database.rows(ADD, [id, node, event.sessionId, JSON.stringify(event)]);
    else await database.rows(REMOVE, [id]);
  }
}

/** Returns the events of these rows. Ignores a row that is not an event, because it cannot be delivered. */
function read(rows: readonly { event?: string }[]): StoredEvent[] {
  return rows.flatMap(({ event = '' }) => readEvent(event) ?? []);
}

function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseError && error.problem === 'unreachable';
}
