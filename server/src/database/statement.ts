/**
 * A prepared statement. `name` is unique in the program. The parameters are `$1`, `$2`, …. List the columns
 * by name instead of `*`. A newer version may add columns while this version runs, and PostgreSQL refuses a
 * prepared statement if its columns have changed.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs prepared statements. `bigint` and `count` are returned as numbers, times as `Date`, `bytea` as
 * `Buffer`. Rejects with `DatabaseError`.
 */
export interface Queries {
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A {@link Queries} whose statements take effect together, or not at all. */
export interface Transaction extends Queries {
  /** Runs a text with several statements. It has no parameters and is not prepared. */
  script(sql: string): Promise<void>;
}

/** Time limit of a call. */
export interface TimeLimit {
  /** Milliseconds for the whole call, including the wait for a connection. */
  deadline?: number;
}
