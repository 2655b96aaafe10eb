import type { Log } from '../platform/log.js';
import type { Database } from './database.js';
import { DatabaseError, DatabaseStartError } from './database-error.js';
import { MIGRATIONS, type Migration } from './migrations.js';
import type { Statement, Transaction } from './statement.js';

/** Key of the database lock that a process holds while it changes tables: the letters "cbro". */
const LOCK = 0x63_62_72_6f;
/** Milliseconds to wait for another process that changes tables. */
const LOCK_TIMEOUT_MS = 30_000;
/** Milliseconds for all changes together, including the wait for the other process. */
const DEADLINE_MS = 120_000;

const APPLIED: Statement = {
  name: 'migrations_applied',
  text: 'select number, name from migrations order by number',
};
const NOTE: Statement = {
  name: 'migrations_note',
  text: 'insert into migrations (number, name) values ($1, $2)',
};

/** Options of {@link migrate}. */
export interface MigrateOptions {
  migrations?: readonly Migration[];
  /** Milliseconds. */
  lockTimeout?: number;
  deadline?: number;
}

/**
 * Updates the tables of a database for this version. Applies all missing changes, or none. One process at
 * a time changes the tables, and others wait. Rejects with {@link DatabaseStartError} if the database
 * reports an error, or if it contains a change that this version does not know.
 */
export async function migrate(database: Database, log: Log, options: MigrateOptions = {}): Promise<void> {
  const { migrations = MIGRATIONS, lockTimeout = LOCK_TIMEOUT_MS, deadline = DEADLINE_MS } = options;
  let done: string[];
  try {
    done = await database.transaction((queries) => apply(queries, migrations, lockTimeout), { deadline });
  } catch (error) {
    throw explain(error);
  }
  if (done.length > 0) log.info('the tables of the database were changed', { migrations: done });
}

async function apply(
  queries: Transaction,
  migrations: readonly Migration[],
  lockTimeout: number,
): Promise<string[]> {
  await queries.script(`set local lock_timeout = ${lockTimeout}; select pg_advisory_xact_lock(${LOCK})`);
  await queries.script(`create table if not exists migrations (
    number integer primary key, name text not null, applied_at timestamptz not null default now())`);
  const applied = await queries.rows<{ number: number; name: string }>(APPLIED);
  requireKnown(applied, migrations);
  const done: string[] = [];
  for (const [index, { name, sql }] of migrations.entries()) {
    if (index < applied.length) continue;
    await queries.script(sql);
    await queries.rows(NOTE, [index + 1, name]);
    done.push(name);
  }
  return done;
}

function requireKnown(
  applied: readonly { number: number; name: string }[],
  migrations: readonly Migration[],
): void {
  for (const [index, { number, name }] of applied.entries()) {
    if (number === index + 1 && migrations[index]?.name === name) continue;
    throw new DatabaseStartError(
      `Another version of this service has changed the database (${name}). This version does not know that change. Start the other version or a newer one, or use another database.`,
    );
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  switch (error.sqlState) {
    case '55P03':
      return new DatabaseStartError(
        'Another process is changing the tables of the database, or has locked them. Find it with "select * from pg_stat_activity", and start the service again when it has finished.',
      );
    case '42501':
      return new DatabaseStartError(
        `The user in DATABASE_URL may not create tables. Make this user the owner of the database: alter database … owner to …. (${error.message})`,
      );
    default:
      return new DatabaseStartError(
        `The tables of the database could not be created or changed. (${error.message})`,
      );
  }
}
