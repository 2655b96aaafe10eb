import { CodedError } from '../platform/coded-error.js';

/**
 * Why a call failed. `unreachable`: nobody answered; `slow`: the database lives, but was not done in time; `refused`: it answered with
 * an error, which {@link DatabaseError.sqlState} names.
 */
export type DatabaseProblem = 'unreachable' | 'slow' | 'refused';

/**
 * The database did not do what was asked. After `unreachable` and `slow` a write may have happened all the same: whoever asks again
 * must be able to ask twice.
 */
export class DatabaseError extends CodedError {
  readonly code = 'err_database';

  constructor(
    readonly problem: DatabaseProblem,
    message: string,
    /** Five characters of SQL's standard, such as `23505` for what is not unique; undefined unless the database answered. */
    readonly sqlState?: string,
    /** The constraint that was not met. */
    readonly constraint?: string,
  ) {
    super(message);
  }
}

/** The service cannot start with this database. The message says what to do. */
export class DatabaseStartError extends CodedError {
  readonly code = 'err_start';
}

/** What an error of the driver tells of itself; empty for others. */
export function detailsOf(error: unknown): { sqlState?: string; constraint?: string; system?: string } {
  if (!(error instanceof Error)) return {};
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const text = typeof code === 'string' ? code : undefined;
  return {
    ...(text !== undefined && (/^[\dA-Z]{5}$/.test(text) ? { sqlState: text } : { system: text })),
    ...(typeof constraint === 'string' && { constraint }),
  };
}

/** Classes of states in which the database cannot be worked with, whatever is asked: connection lost, shutting down or starting. */
const AWAY = /^(08...|57P0[123])$/;
/** Who took over was not promoted yet, or who was in charge no longer is. */
const READ_ONLY = '25006';
const TOO_LONG = '57014';

/** Puts an error of the driver into our words; ours stay as they are. */
export function databaseErrorOf(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { sqlState, constraint } = detailsOf(error);
  const text = error instanceof Error ? error.message : String(error);
  if (sqlState === undefined || AWAY.test(sqlState) || sqlState === READ_ONLY)
    return new DatabaseError('unreachable', `The database cannot be reached: ${text}.`, sqlState);
  if (sqlState === TOO_LONG) return new DatabaseError('slow', 'The database was not done in time.', sqlState);
  return new DatabaseError('refused', `The database refused a statement: ${text}.`, sqlState, constraint);
}
