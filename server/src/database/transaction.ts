import type { PoolClient } from 'pg';
import { DatabaseError, databaseErrorOf } from './database-error.js';
import type { Statement, Transaction } from './statement.js';

/** Runs a prepared statement. Rejects with {@link DatabaseError}. */
export async function runStatement<Row extends object>(
  client: PoolClient,
  { name, text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const { rows } = await client.query({ name, text, values: [...values] });
    return rows as Row[];
  } catch (error) {
    throw databaseErrorOf(error);
  }
}

/** Runs several statements. Returns the name of the last command. */
async function runScript(client: PoolClient, sql: string): Promise<string> {
  try {
    const result: unknown = await client.query(sql);
    const last = (Array.isArray(result) ? result.at(-1) : result) as { command: string };
    return last.command;
  } catch (error) {
    throw databaseErrorOf(error);
  }
}

/** Timeouts of statements, in milliseconds. */
export interface StatementTimeouts {
  /** Timeout of the connection. */
  usual: number;
  /** Returns the timeout for a statement that begins now. */
  now: () => number;
}

/**
 * Milliseconds by which the timeout of a connection may be too long. Changing it for a transaction takes
 * time, because it is a statement too.
 */
const TOLERANCE_MS = 125;

/** True if a statement that begins now needs another timeout than `current`. */
function needsTimeout(current: number, { now }: StatementTimeouts): boolean {
  const timeout = now();
  // One millisecond may be an error of rounding.
  return timeout > current + 1 || current - timeout > TOLERANCE_MS;
}

/** Runs the work in a transaction. If the work rejects, nothing takes effect. */
export async function inTransaction<T>(
  client: PoolClient,
  work: (queries: Transaction) => Promise<T>,
  timeouts: StatementTimeouts,
): Promise<T> {
  let open = true;
  let current = timeouts.usual;
  const newTimeout = (): string => {
    current = Math.max(1, Math.round(timeouts.now()));
    return `set local statement_timeout = ${current}`;
  };
  const requireOpen = (): void => {
    if (!open) throw new DatabaseError('refused', 'The transaction has ended.');
  };
  const use = async <R>(run: () => Promise<R>): Promise<R> => {
    requireOpen();
    // The earlier statements have used a part of the time.
    if (needsTimeout(current, timeouts)) await runScript(client, newTimeout());
    requireOpen();
    return run();
  };
  const queries: Transaction = {
    rows: (statement, values) => use(() => runStatement(client, statement, values)),
    script: (sql) =>
      use(async () => {
        await runScript(client, sql);
      }),
  };
  await runScript(client, needsTimeout(current, timeouts) ? `begin; ${newTimeout()}` : 'begin');
  try {
    const result = await work(queries);
    open = false;
    const command = await runScript(client, 'commit');
    // PostgreSQL returns `ROLLBACK` if a statement failed and the work ignored the error.
    if (command === 'ROLLBACK')
      throw new DatabaseError(
        'refused',
        'The transaction was rolled back, because a statement in it failed.',
      );
    return result;
  } catch (error) {
    open = false;
    const away = error instanceof DatabaseError && error.problem === 'unreachable';
    if (!away) await runScript(client, 'rollback');
    throw error;
  }
}
