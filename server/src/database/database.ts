import type { PoolClient } from 'pg';
import type { Clock } from '../platform/clock.js';
import { Lanes } from '../platform/lanes.js';
import type { Log } from '../platform/log.js';
import { Circuit } from './circuit.js';
import { Connections } from './connections.js';
import { Contact } from './contact.js';
import { DatabaseError } from './database-error.js';
import { inspect, PROBE, requireWritable } from './inspection.js';
import { inTransaction, runStatement } from './transaction.js';
import type { Queries, Statement, TimeLimit, Transaction } from './statement.js';

/** Milliseconds for a call, with everything: a create that cannot be placed is answered within two seconds. */
export const DEADLINE_MS = 1_500;
/** The database gives a statement up this much earlier than we do, so that a slow statement is told from a lost database. */
const HEAD_START_MS = 250;
/** States after which the same transaction may be tried again: a deadlock was resolved, or others were there first. */
const TRY_AGAIN = /^40(P01|001)$/;
const MAX_TRIES = 3;

/** How a {@link Database} is opened. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/name`, a secret. */
  url: string;
  /** Connections at once, from 1 on. */
  connections: number;
  clock: Clock;
  log: Log;
  /** Milliseconds for a call, {@link DEADLINE_MS} when it is left out. */
  deadline?: number;
}

/**
 * A PostgreSQL database that may be away: every call is answered within its deadline, whatever the other side does, and at once
 * while the database is known to be away. Nothing is asked twice by itself, except a transaction that the database itself ended.
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

  /** Rejects with a `DatabaseStartError` that says what to do when the database cannot be used. */
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

  /** False from the first contact that failed to the next good one; calls reject at once meanwhile. */
  get available(): boolean {
    return this.#circuit.available;
  }

  /** Tells every change of {@link available}; answers what ends that. */
  watch(listener: (available: boolean) => void): () => void {
    return this.#circuit.watch(listener);
  }

  rows<Row extends object>(
    statement: Statement,
    values: readonly unknown[] = [],
    { deadline = this.#deadline }: TimeLimit = {},
  ): Promise<Row[]> {
    if (deadline > this.#deadline)
      return this.transaction((queries) => queries.rows<Row>(statement, values), { deadline });
    return this.#call(deadline, (client) => runStatement<Row>(client, statement, values));
  }

  /** Statements that take effect together. The work may be done again from the start: the database ends one of two that wait for each other. */
  async transaction<T>(
    work: (queries: Transaction) => Promise<T>,
    { deadline = this.#deadline }: TimeLimit = {},
  ): Promise<T> {
    const { clock } = this.options;
    const end = clock.now() + deadline;
    const timeout = deadline === this.#deadline ? undefined : timeoutWithin(deadline);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#call(end - clock.now(), (client) => inTransaction(client, work, timeout));
      } catch (error) {
        const state = error instanceof DatabaseError ? error.sqlState : undefined;
        if (!state || !TRY_AGAIN.test(state) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Resolves when nothing is under way any more, no later than a deadline. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#circuit.close();
    await this.#connections.close();
  }

  #call<T>(limit: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (!this.#circuit.available)
      return Promise.reject(
        new DatabaseError('unreachable', 'The database cannot be reached at the moment.'),
      );
    const generation = this.#connections.generation;
    const call = this.#contact(limit, work, this.#lanes);
    return call.then(
      (result) => {
        this.#circuit.succeeded();
        return result;
      },
      (error: unknown) => {
        const lost = error instanceof DatabaseError && error.problem === 'unreachable';
        // What was asked before the database came back says nothing of it.
        if (lost && generation === this.#connections.generation) this.#circuit.failed(error);
        throw error;
      },
    );
  }

  #contact<T>(limit: number, work: (client: PoolClient) => Promise<T>, lanes = new Lanes(1)): Promise<T> {
    if (this.#closed)
      return Promise.reject(new DatabaseError('unreachable', 'The database is not used any more.'));
    return new Contact(this.#connections).run(lanes, { clock: this.options.clock, limit }, work);
  }
}

/** What a statement may take in a call of `deadline` milliseconds. */
function timeoutWithin(deadline: number): number {
  return Math.max(1, deadline - Math.min(HEAD_START_MS, deadline / 4));
}

async function probeWith(client: PoolClient): Promise<void> {
  requireWritable(await runStatement(client, PROBE));
}
