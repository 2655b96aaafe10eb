import type { Database } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import type { Clock, Timer } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { EventStore, StoredEvent } from './event-store.js';

/** What a {@link PostgresEventStore} is made of. */
export interface PostgresEventStoreParts {
  database: Database;
  /** The code of this node. */
  node: string;
  clock: Clock;
  log: Log;
}

/** Between two tries to write what could not be written, when nobody says that the database is back. */
const RETRY_MS = 5_000;
/** Sessions whose events are taken over at once. */
const SESSIONS_AT_ONCE = 100;

const ALL: Statement = { name: 'event_all', text: 'select event from events where node = $1 order by id' };
const ADD: Statement = {
  name: 'event_add',
  text: 'insert into events (id, node, session_id, event) values ($1, $2, $3, $4) on conflict (id) do nothing',
};
const REMOVE: Statement = { name: 'event_remove', text: 'delete from events where id = $1' };
/** One machine at a time, so that the events of a session do not go two ways. The number names the lock: the letters "cbev". */
const TAKE_OVER: Statement = {
  name: 'event_take_over',
  text: `
    with turn as materialized (select pg_try_advisory_xact_lock(1667392886) as mine),
    abandoned as materialized (
      select id, session_id from events
      where (select mine from turn) and not exists (select from nodes where nodes.code = events.node and nodes.state = 'alive')),
    chosen as (select distinct session_id from abandoned order by session_id limit $2),
    taken as (
      update events set node = $1 where id in (select id from abandoned where session_id in (select session_id from chosen))
      returning id, event)
    select event from taken order by id`,
};

/**
 * Events in a database, each with the node that delivers it: what a lost node did not deliver, another one does. While the database is
 * away, events are kept in memory, delivered all the same, and written when it is back.
 */
export class PostgresEventStore implements EventStore {
  /** What is to be written yet, in order: an event, or the id of one that is delivered. */
  readonly #unwritten = new Map<string, StoredEvent | null>();
  readonly #stopWatching: () => void;
  #timer: Timer | undefined;
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly parts: PostgresEventStoreParts) {
    this.#stopWatching = parts.database.watch((available) => {
      if (available) void this.flush();
    });
  }

  async all(): Promise<StoredEvent[]> {
    return read(await this.parts.database.rows(ALL, [this.parts.node]));
  }

  /** Resolves also when the event could only be kept in memory: the log says so, and it is written as soon as that is possible. */
  async add(event: StoredEvent): Promise<void> {
    await this.#write(event.id, event);
  }

  async remove(id: string): Promise<void> {
    await this.#write(id, null);
  }

  async takeOver(): Promise<StoredEvent[]> {
    return read(await this.parts.database.rows(TAKE_OVER, [this.parts.node, SESSIONS_AT_ONCE]));
  }

  /** Writes what could not be written; settles when that is done or fails. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Writes what it can, and ends. */
  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
    this.#stopWatching();
    this.#timer?.cancel();
    if (this.#unwritten.size > 0)
      this.parts.log.error('events could not be stored', { events: this.#unwritten.size });
  }

  async #write(id: string, event: StoredEvent | null): Promise<void> {
    try {
      await this.#store(id, event);
      // It was in line to be written, and is not needed any more.
      if (event === null) this.#unwritten.delete(id);
    } catch (error) {
      if (this.#unwritten.size === 0)
        this.parts.log.warn('events are kept in memory until the database can be written to', { error });
      this.#unwritten.set(id, event);
      this.#retryLater();
    }
  }

  async #flush(): Promise<void> {
    for (const [id, event] of [...this.#unwritten]) {
      try {
        await this.#store(id, event);
        if (this.#unwritten.get(id) === event) this.#unwritten.delete(id);
      } catch {
        this.#retryLater();
        return;
      }
    }
  }

  async #store(id: string, event: StoredEvent | null): Promise<void> {
    const { database, node } = this.parts;
    if (event) await database.rows(ADD, [id, node, event.sessionId, JSON.stringify(event)]);
    else await database.rows(REMOVE, [id]);
  }

  #retryLater(): void {
    this.#timer?.cancel();
    if (!this.#closed) this.#timer = this.parts.clock.setTimeout(() => void this.flush(), RETRY_MS);
  }
}

function read(rows: readonly { event?: string }[]): StoredEvent[] {
  return rows.map(({ event = '{}' }) => JSON.parse(event) as StoredEvent);
}
