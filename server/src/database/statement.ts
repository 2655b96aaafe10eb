/**
 * A prepared statement. `name` is unique in the program, and its parameters are `$1`, `$2`, …. Name the columns, never `*`: a newer
 * version may add some while this one runs, and a prepared statement with another result is refused.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs prepared statements. `bigint` and `count` come as numbers, moments as `Date`, `bytea` as `Buffer`.
 * Rejects with `DatabaseError`.
 */
export interface Queries {
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A {@link Queries} whose statements take effect together, or not at all. */
export interface Transaction extends Queries {
  /** Runs SQL of several statements without parameters, which is not prepared. */
  script(sql: string): Promise<void>;
}

/** How long something may take. */
export interface TimeLimit {
  /** Milliseconds for all of it, the wait for a connection included. */
  deadline?: number;
}
