import { Type, type TSchemaOptions } from 'typebox';
import { TIMEOUT_RANGE } from './values/time-limits.js';
import { expected } from './expected.js';

/** Returns the schema of a text of limited length. */
export const text = (
  minLength: number,
  maxLength: number,
  description?: string,
  options: TSchemaOptions = {},
) => Type.String({ minLength, maxLength, ...(description !== undefined && { description }), ...options });

/** Returns the schema of an optional boolean with its default. */
export const flag = (standard: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: standard, description }));

/** Returns the schema of one of several texts. */
export const oneOf = <const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/**
 * Returns the schema of a time limit in seconds. Null or 0 means no limit. `limitsWithin` later lowers a
 * limit that is too long.
 */
export const limit = (description = '', standard?: number | null) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: 0,
      ...(standard !== undefined && { default: standard }),
      description: `${description} null or 0: never. A value above ${TIMEOUT_RANGE.max} (a year) becomes ${TIMEOUT_RANGE.max}, with a warning.`,
      ...expected('a number of seconds, 0 or more, or null for no limit'),
    }),
  );

/**
 * Returns the schema of the time between a warning and the end of the session, in seconds. `limitsWithin`
 * later lowers a value that is too long.
 */
export const warning = (standard?: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      ...(standard !== undefined && { default: standard }),
      description: `Seconds before a timeout at which viewers receive a warning. 0: no warning. A value above ${TIMEOUT_RANGE.max} becomes ${TIMEOUT_RANGE.max}, and the response has a warning.`,
      ...expected('a number of seconds, 0 or more'),
    }),
  );

/** Returns the schema of a text or null. */
export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
