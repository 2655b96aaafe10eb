import { CodedError } from '../platform/coded-error.js';

/**
 * Reason for a failed call.
 * - `unreachable`: the database did not answer, or can run no statement at the moment.
 * - `slow`: the database works, but did not finish in time.
 * - `refused`: the database answered with an error, see {@link DatabaseError.sqlState}.
 */
export type DatabaseProblem = 'unreachable' | 'slow' | 'refused';

/**
 * A call to the database failed. After `unreachable` and `slow`, the database may still have performed the
 * write. So callers must be able to repeat the call without harm.
 */
export class DatabaseError extends CodedError {
  readonly code = 'err_database';

  constructor(
    readonly problem: DatabaseProblem,
    message: string,
    /**
     * SQLSTATE code of five characters, for example `23505` for a violated unique constraint. Present only if
     * the database answered.
     */
    readonly sqlState?: string,
    /** The violated constraint. */
    readonly constraint?: string,
  ) {
    super(message);
    // While the database is away, every call fails with such an error, and a log contains an error's stack.
    // The stack of an expected error has no information.
    if (problem !== 'refused') this.stack = `${this.name}: ${message}`;
  }
}

/** The service cannot start with this database. The message tells the operator what to do. */
export class DatabaseStartError extends CodedError {
  readonly code = 'err_start';
}

/** Returns the details of an error of the driver. Returns an empty object for other errors. */
export function detailsOf(error: unknown): { sqlState?: string; constraint?: string; system?: string } {
  if (!(error instanceof Error)) return {};
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const text = typeof code === 'string' ? code : undefined;
  return {
    ...(text !== undefined && (/^[\dA-Z]{5}$/.test(text) ? { sqlState: text } : { system: text })),
    ...(typeof constraint === 'string' && { constraint }),
  };
}

/** SQL states in which the database can run no statement: connection lost, shutting down, starting. */
const AWAY = /^(08...|57P0[123])$/;
/** SQL state of a write to a read-only server: a standby or a former primary. */
const READ_ONLY = '25006';
const TOO_LONG = '57014';

/** Converts an error of the driver into a {@link DatabaseError}. A {@link DatabaseError} stays unchanged. */
export function databaseErrorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { sqlState, constraint } = detailsOf(error);
  const text = error instanceof Error ? error.message : String(error);
  if (sqlState === undefined || AWAY.test(sqlState) || sqlState === READ_ONLY)
    return new DatabaseError('unreachable', `The database cannot be reached: ${text}.`, sqlState);
  if (sqlState === TOO_LONG)
    return new DatabaseError('slow', 'The database did not finish in time.', sqlState);
  return new DatabaseError('refused', `The database refused a statement: ${text}.`, sqlState, constraint);
}
