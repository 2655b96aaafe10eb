import { Pool, types, type PoolClient } from 'pg';
import type { Log } from '../platform/log.js';
import { databaseErrorOf } from './database-error.js';

/** Time in milliseconds after which an idle connection is closed. */
const IDLE_MS = 60_000;
/**
 * Maximum age of a connection in seconds. The address of the database's host name may change, and only new
 * connections use the new address.
 */
const LIFETIME_SECONDS = 1_800;
/**
 * Milliseconds after which the database ends an idle transaction and releases its locks. The machine that
 * started the transaction may be gone.
 */
export const IDLE_IN_TRANSACTION_MS = 5_000;
/** PostgreSQL's object id of the type `bigint`. */
const BIGINT = 20;

/** Options of connections. */
export interface ConnectionOptions {
  /** `postgres://…` */
  url: string;
  /** Maximum number of simultaneous connections. One more connection is for probes. */
  connections: number;
  /** Timeout for connecting, in milliseconds. */
  connectTimeout: number;
  /** Milliseconds after which the database aborts a statement. */
  statementTimeout: number;
  log: Log;
}

/** Parses `bigint` as a JavaScript number, which is exact up to 2^53. The driver parses all other types. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT && format !== 'binary'
    ? Number
    : (types.getTypeParser as (oid: number, format?: string) => unknown)(
        oid,
        format,
      )) as typeof types.getTypeParser;

/**
 * Pool of connections to a database. A generation contains the connections that were made since the last
 * {@link renew}.
 */
export class Connections {
  readonly #open = new Set<PoolClient>();
  #pool: Pool;

  constructor(private readonly options: ConnectionOptions) {
    this.#pool = this.#makePool();
  }

  /** Identity of the current generation of connections. It changes with {@link renew}. */
  get generation(): object {
    return this.#pool;
  }

  /** Takes a connection for exclusive use. Rejects with `DatabaseError`. */
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

  /** Destroys a connection. Sends no closing message, because the database may not read the message. */
  destroy(client: PoolClient): void {
    client.connection.stream.destroy();
    client.release(true);
  }

  /**
   * Replaces all connections by new ones, because the database's host name may have a new address.
   * Connections in use are closed when they are returned.
   */
  renew(): void {
    const old = this.#pool;
    this.#pool = this.#makePool();
    void old.end();
  }

  /**
   * Closes the pool. Resolves when no connection is in use any more. This does not take long, because every
   * use has a deadline.
   */
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
      // Ignores the event, because the failed call reports the error to its caller. An error event without a
      // listener would end the process.
      client.on('error', () => undefined);
      client.once('end', () => this.#open.delete(client));
    });
    return pool;
  }
}
