import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { ServiceError } from '../service-error.js';

/** The parts of a JSON schema that say what a value must be. */
interface Expectation {
  type?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
}

const ARTICLES: Record<string, string> = {
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a text',
  object: 'a JSON object',
  array: 'a JSON array',
};

/** Turns the first complaint of the validator into a sentence that names the field and everything it may be. */
export function validationError(errors: FastifySchemaValidationError[], part: string): ServiceError {
  const first = errors[0];
  const path = first?.instancePath.split('/').slice(1).join('.') ?? '';
  // `verbose` makes the validator attach the schema that failed; Fastify's type does not know.
  const schema = (first as { parentSchema?: Expectation } | undefined)?.parentSchema ?? {};
  return new ServiceError('err_invalid_parameter', path || `The ${part}`, describe(schema));
}

function describe(schema: Expectation): string {
  const what = ARTICLES[schema.type ?? ''] ?? 'a valid value';
  const { minimum, maximum, minLength, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}`;
  if (minLength !== undefined && maxLength !== undefined)
    return `${what} of ${minLength} to ${maxLength} characters`;
  return what;
}
