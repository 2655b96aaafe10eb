import type { Warnings } from '../warnings.js';

/** Time limits of a session, in seconds. Null: none. */
export interface TimeoutLimits {
  /** Time since the creation of the session. */
  absolute: number | null;
  /** Time since the last input of a person. */
  inactive: number | null;
  /** Time without a connected viewer. */
  offline: number | null;
  /** Time between the warning and the end. */
  warning: number;
}

/** Shortest and longest time limit, in seconds. The longest limit is a year. */
export const TIMEOUT_RANGE = { min: 1, max: 31_536_000 } as const;

/** Time limits of a request. An absent field is undefined. */
export type RequestedLimits = { [K in keyof TimeoutLimits]?: TimeoutLimits[K] | undefined };

const KINDS = ['absolute', 'inactive', 'offline'] as const;

/**
 * Brings the time limits of a request into {@link TIMEOUT_RANGE}. 0 becomes null (no limit). Other values
 * outside the range become the nearest limit. `warning` has only an upper limit, and 0 stays 0. Adds a
 * warning for each change. Absent fields stay absent.
 *
 * @param asked seconds, not negative
 * @param prefix prefix of the fields' names in warnings
 */
export function limitsWithin(asked: RequestedLimits, prefix: string, warnings: Warnings): RequestedLimits {
  const { absolute, inactive, offline, warning } = asked;
  const limits: RequestedLimits = { absolute, inactive, offline, warning };
  for (const kind of KINDS) {
    const limit = asked[kind];
    if (limit !== undefined) limits[kind] = limitWithin(prefix + kind, limit, warnings);
  }
  if (warning !== undefined) limits.warning = atMost(`${prefix}warning`, warning, warnings);
  return limits;
}

/** Same as {@link limitsWithin} for one limit. Null means no limit and adds no warning. */
export function limitWithin(field: string, asked: number | null, warnings: Warnings): number | null {
  if (asked === null) return null;
  if (asked === 0) {
    const quiet = field === 'privacy_timeout' ? '.' : '; null has the same effect without a warning.';
    warnings.push(`${field} 0 means no limit${quiet}`);
    return null;
  }
  const { min } = TIMEOUT_RANGE;
  if (asked >= min) return atMost(field, asked, warnings);
  warnings.push(`${field} ${asked} becomes ${min}: the shortest limit is ${min} second.`);
  return min;
}

function atMost(field: string, asked: number, warnings: Warnings): number {
  const { max } = TIMEOUT_RANGE;
  if (asked <= max) return asked;
  warnings.push(`${field} ${asked} becomes ${max}: no limit is longer than ${max} seconds, a year.`);
  return max;
}
