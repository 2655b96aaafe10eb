import { Pool, types, type PoolClient } from 'pg';
import type { Log } from '../platform/log.js';
import { databaseErrorOf } from './database-error.js';

/** A connection in which nothing happens for this long is given back to the database. Milliseconds. */
const IDLE_MS = 60_000;
/** Connections are made anew now and then, so that a database that moved is found by its name. Seconds. */
const LIFETIME_SECONDS = 1_800;
/** A machine that is gone in the middle of a transaction holds its locks no longer than this. Milliseconds. */
export const IDLE_IN_TRANSACTION_MS = 5_000;
/** PostgreSQL's number of its type `bigint`. */
const BIGINT = 20;

/** How connections are made. */
export interface ConnectionOptions {
  /** `postgres://…` */
  url: string;
  /** At once, one for probes not counted. */
  connections: number;
  /** Milliseconds for making one. */
  connectTimeout: number;
  /** Milliseconds after which the database gives a statement up. */
  statementTimeout: number;
  log: Log;
}

/** Our numbers are exact up to 2^53; everything else is as the driver has it. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT && format !== 'binary'
    ? Number
    : (types.getTypeParser as (oid: number, format?: string) => unknown)(
        oid,
        format,
      )) as typeof types.getTypeParser;

/** Connections to a database that are used one after the other. Those of one generation are made since the last {@link renew}. */
export class Connections {
  readonly #open = new Set<PoolClient>();
  #pool: Pool;

  constructor(private readonly options: ConnectionOptions) {
    this.#pool = this.#makePool();
  }

  /** Which connections are made at this time; another one after {@link renew}. */
  get generation(): object {
    return this.#pool;
  }

  /** A connection that is used by nobody else. Rejects with `DatabaseError`. */
  async take(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw databaseErrorOf(error);
    }
  }

  give(client: PoolClient): void {
    client.release();
  }

  /** Ends a connection without a word: the other side may not listen. */
  destroy(client: PoolClient): void {
    client.connection.stream.destroy();
    client.release(true);
  }

  /** Uses none again of those that are open: the database may be another one now. Those in use are ended when they are given back. */
  renew(): void {
    const old = this.#pool;
    this.#pool = this.#makePool();
    void old.end();
  }

  /** Resolves when no connection is in use any more; whoever uses one has a deadline. */
  async close(): Promise<void> {
    await this.#pool.end();
    for (const client of this.#open) client.connection.stream.destroy();
  }

  #makePool(): Pool {
    const { url, connections, connectTimeout, statementTimeout, log } = this.options;
    const pool = new Pool({
      connectionString: url,
      max: connections + 1,
      connectionTimeoutMillis: connectTimeout,
      idleTimeoutMillis: IDLE_MS,
      maxLifetimeSeconds: LIFETIME_SECONDS,
      keepAlive: true,
      application_name: 'cloud-browser',
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      types: { getTypeParser },
    });
    pool.on('error', (error: Error) => log.debug('an idle connection was lost', { problem: error.message }));
    pool.on('connect', (client) => {
      this.#open.add(client);
      // Whoever uses it is told by the call that fails; an event that nobody hears would end the process.
      client.on('error', () => undefined);
      client.once('end', () => this.#open.delete(client));
    });
    return pool;
  }
}
