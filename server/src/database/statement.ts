/**
 * A prepared statement. `name` is unique in the program, and its parameters are `$1`, `$2`, …. Name the
 * columns, never `*`: a newer version may add columns while this one runs, and PostgreSQL refuses a prepared
 * statement whose result changed.
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
  /** Runs SQL of several statements without parameters, which is not prepared. */
  script(sql: string): Promise<void>;
}

/** Time limit of a call. */
export interface TimeLimit {
  /** Milliseconds for the whole call, including the wait for a connection. */
  deadline?: number;
}
