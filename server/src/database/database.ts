import type { PoolClient } from 'pg';
import { pause, type Clock } from '../platform/time/clock.js';
import { Lanes } from '../platform/time/lanes.js';
import type { Log } from '../platform/log.js';
import { Circuit } from './circuit.js';
import { Connections } from './connections.js';
import { Contact } from './contact.js';
import { DatabaseError } from './database-error.js';
import { inspect, PROBE, requireWritable } from './inspection.js';
import { inTransaction, runStatement, type StatementTimeouts } from './transaction.js';
import type { Queries, Statement, TimeLimit, Transaction } from './statement.js';

/**
 * Deadline of a whole call in milliseconds. It is short, because create requests wait for the database and
 * must fail soon if the database does not answer.
 */
export const DEADLINE_MS = 1_500;
/**
 * The database aborts a statement this many milliseconds before the deadline of the call. So the caller can
 * distinguish a slow statement from a lost database.
 */
const HEAD_START_MS = 250;
/** Milliseconds between the timeout of a statement and the deadline in which the answer usually arrives. */
const ANSWER_TIME_MS = 100;
/** SQL states after which a transaction is retried: a deadlock, or a conflict with another transaction. */
const TRY_AGAIN = /^40(P01|001)$/;
const MAX_TRIES = 3;
/**
 * Longest pause before the first retry of a transaction, in milliseconds. Later pauses are longer. Without
 * a pause, the retried transaction can lock its first row again before the other transaction gets this row.
 * Then both have the same deadlock again.
 */
const RETRY_PAUSE_MS = 50;

/** Options of a {@link Database}. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`, a secret. */
  url: string;
  /** Maximum number of simultaneous connections, at least 1. */
  connections: number;
  clock: Clock;
  log: Log;
  /** Milliseconds for a call. Default: {@link DEADLINE_MS}. */
  deadline?: number;
}

/**
 * A PostgreSQL database that may be unavailable. Every call ends within its deadline, even if the database
 * does not answer. While the database is unavailable, calls fail at once. Only a transaction that the
 * database itself aborted is retried.
 */
export class Database implements Queries {
  readonly #circuit: Circuit;
  readonly #connections: Connections;
  readonly #lanes: Lanes;
  readonly #deadline: number;
  #closed = false;

  private constructor(private readonly options: DatabaseOptions) {
    const { url, connections, clock, log, deadline = DEADLINE_MS } = options;
    this.#deadline = deadline;
    this.#lanes = new Lanes(connections);
    const statementTimeout = timeoutWithin(deadline);
    this.#connections = new Connections({
      url,
      connections,
      connectTimeout: deadline,
      statementTimeout,
      log,
    });
    const probe = () => this.#contact(deadline, (client) => probeWith(client));
    this.#circuit = new Circuit({ clock, log, probe });
    this.#circuit.watch((available) => {
      if (!available) this.#connections.renew();
    });
  }

  /**
   * Opens the database. If it cannot be used, rejects with a `DatabaseStartError` that tells the operator
   * what to do.
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const database = new Database(options);
    try {
      await inspect(options.url, (statement) =>
        database.#contact(database.#deadline, (client) => runStatement(client, statement)),
      );
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** False from the first failed contact until a probe succeeds. In that time calls reject at once. */
  get available(): boolean {
    return this.#circuit.available;
  }

  /** Calls the listener on every change of {@link available}. The returned function removes it. */
  watch(listener: (available: boolean) => void): () => void {
    return this.#circuit.watch(listener);
  }

  rows<Row extends object>(
    statement: Statement,
    values: readonly unknown[] = [],
    { deadline = this.#deadline }: TimeLimit = {},
  ): Promise<Row[]> {
    const run = (queries: Queries) => queries.rows<Row>(statement, values);
    if (deadline > this.#deadline) return this.transaction(run, { deadline });
    const { clock } = this.options;
    const end = clock.now() + deadline;
    const timeouts = this.#timeoutsUntil(end);
    // After a long wait for a free connection, the timeout of the connection is too long. In a transaction,
    // it can be changed for one statement. But a transaction takes two more round trips, and calls wait when
    // the database has much to do. So a call whose timeout comes early enough gets no transaction.
    return this.#call(deadline, (client) =>
      end - clock.now() < timeouts.usual + ANSWER_TIME_MS
        ? inTransaction(client, run, timeouts)
        : runStatement<Row>(client, statement, values),
    );
  }

  /**
   * Runs statements in one transaction. The work may run again from the start, because the database may abort
   * a transaction, for example to resolve a deadlock.
   */
  async transaction<T>(
    work: (queries: Transaction) => Promise<T>,
    { deadline = this.#deadline }: TimeLimit = {},
  ): Promise<T> {
    const { clock } = this.options;
    const end = clock.now() + deadline;
    const timeouts = this.#timeoutsUntil(end);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#call(end - clock.now(), (client) => inTransaction(client, work, timeouts));
      } catch (error) {
        const state = error instanceof DatabaseError ? error.sqlState : undefined;
        const wait = RETRY_PAUSE_MS * tries * (0.5 + Math.random() / 2);
        // Does not retry if too little time is left for a statement. Such a retry would end at the deadline,
        // and the database would then count as unavailable.
        const isLate = end - clock.now() - wait < HEAD_START_MS;
        if (!state || !TRY_AGAIN.test(state) || tries === MAX_TRIES || isLate) throw error;
        await pause(clock, wait);
      }
    }
  }

  /**
   * Closes the database. Resolves when all calls have ended, at the latest at their deadlines. Safe to call
   * twice.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#circuit.close();
    await this.#connections.close();
  }

  /** Returns the timeouts of statements for a call with this deadline, in milliseconds of the clock. */
  #timeoutsUntil(end: number): StatementTimeouts {
    const { clock } = this.options;
    return { usual: timeoutWithin(this.#deadline), now: () => timeoutWithin(end - clock.now()) };
  }

  #call<T>(limit: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!this.#circuit.available)
      return Promise.reject(
        new DatabaseError('unreachable', 'The database cannot be reached at the moment.'),
      );
    const generation = this.#connections.generation;
    const call = this.#contact(limit, work, this.#lanes);
    // Ignores a success. While the database counts as unavailable, only a call on an old connection, which
    // was replaced, can still succeed. Such a success says nothing about new connections.
    return call.catch((error: unknown) => {
      const lost = error instanceof DatabaseError && error.problem === 'unreachable';
      // Ignores the failure if the connections were replaced during the call. Such a failure says nothing
      // about the current state of the database.
      if (lost && generation === this.#connections.generation) this.#circuit.failed(error);
      throw error;
    });
  }

  #contact<T>(limit: number, work: (client: PoolClient) => Promise<T>, lanes = new Lanes(1)): Promise<T> {
    if (this.#closed)
      return Promise.reject(new DatabaseError('unreachable', 'The connection to the database was closed.'));
    return new Contact(this.#connections).run(lanes, { clock: this.options.clock, limit }, work);
  }
}

/** Returns the timeout of a statement in milliseconds, for a call with this deadline. */
function timeoutWithin(deadline: number): number {
  return Math.max(1, deadline - Math.min(HEAD_START_MS, deadline / 4));
}

async function probeWith(client: PoolClient): Promise<void> {
  requireWritable(await runStatement(client, PROBE));
}
