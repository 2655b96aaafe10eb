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

/**
 * Runs the work in a transaction. If the work rejects, nothing takes effect.
 *
 * @param timeout milliseconds for each statement; undefined means the timeout of the connection
 */
export async function inTransaction<T>(
  client: PoolClient,
  work: (queries: Transaction) => Promise<T>,
  timeout: number | undefined,
): Promise<T> {
  let open = true;
  const use = <R>(run: () => Promise<R>): Promise<R> =>
    open ? run() : Promise.reject(new DatabaseError('refused', 'The transaction has ended.'));
  const queries: Transaction = {
    rows: (statement, values) => use(() => runStatement(client, statement, values)),
    script: (sql) =>
      use(async () => {
        await runScript(client, sql);
      }),
  };
  const limit = timeout === undefined ? '' : `; set local statement_timeout = ${Math.round(timeout)}`;
  await runScript(client, `begin${limit}`);
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
