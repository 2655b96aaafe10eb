import { Type, type TSchemaOptions } from 'typebox';
import { TIMEOUT_RANGE } from './session-settings.js';
import { expected } from './expected.js';

/** A text of limited length. */
export const text = (
  minLength: number,
  maxLength: number,
  description: string,
  options: TSchemaOptions = {},
) => Type.String({ minLength, maxLength, description, ...options });

/** A boolean with its default. */
export const flag = (standard: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: standard, description }));

/** One of several texts. */
export const oneOf = <const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** A limit of time, or null for none. */
export const limit = (description: string, standard?: number | null) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      minimum: TIMEOUT_RANGE.min,
      maximum: TIMEOUT_RANGE.max,
      ...(standard !== undefined && { default: standard }),
      description,
      ...expected(
        `a number of seconds from ${TIMEOUT_RANGE.min} to ${TIMEOUT_RANGE.max}, or null for no limit`,
      ),
    }),
  );

/** How long before an end its warning comes. */
export const warning = (standard?: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: TIMEOUT_RANGE.max,
      ...(standard !== undefined && { default: standard }),
      description: 'Seconds before a timeout at which viewers are warned.',
    }),
  );

/** A text, or null. */
export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
