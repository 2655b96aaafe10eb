import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { invalidParameter, type ServiceError } from '../../service-error.js';
import { EXPECTED } from '../../create-fields/expected.js';

/** The parts of a JSON schema that describe the allowed values. */
interface Expectation {
  type?: unknown;
  enum?: unknown[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  properties?: Record<string, Expectation> | undefined;
  [EXPECTED]?: string | undefined;
}

const ARTICLES: Record<string, string> = {
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a text',
  object: 'a JSON object',
  array: 'a JSON array',
};
/** Maximum length of a field's name in an error message. The name in a request may be much longer. */
const MAX_NAME_CHARS = 100;

/** Converts the validator's errors to one error, whose message names the field and the allowed values. */
export function validationError(errors: FastifySchemaValidationError[], part: string): ServiceError {
  const error = mostTelling(errors);
  const path = error?.instancePath.split('/').slice(1).join('.') ?? '';
  // With `verbose` the validator attaches the failed schema. Fastify's type does not contain it.
  const schema = (error as { parentSchema?: Expectation } | undefined)?.parentSchema ?? {};
  const missing = error?.keyword === 'required' ? String(error.params['missingProperty']) : undefined;
  if (missing !== undefined) {
    const field = [path, missing].filter(Boolean).join('.');
    const words = `given: ${describe(schema.properties?.[missing] ?? {})}`;
    return invalidParameter(field, words);
  }
  if (error?.keyword === 'additionalProperties') {
    return unknownParameter(String(error.params['additionalProperty']), Object.keys(schema.properties ?? {}));
  }
  const field = shortened(path);
  return field === ''
    ? invalidParameter(`The ${part}`, describe({ ...schema, properties: undefined }))
    : invalidParameter(field, describe(schema));
}

/** Returns the error for an unknown parameter. Its message has the names of the known ones. */
export function unknownParameter(name: string, known: readonly string[]): ServiceError {
  const expected = known.length === 1 ? known.join() : `one of ${known.join(', ')}`;
  return invalidParameter(`The parameter ${shortened(name)}`, expected);
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}

/**
 * Returns the most useful error. For a choice (`anyOf`), the validator reports the failure of each
 * alternative, and then the failure of the choice. An error at a deeper level shows which alternative was
 * intended.
 */
function mostTelling(errors: FastifySchemaValidationError[]): FastifySchemaValidationError | undefined {
  const choice = errors.findLast(({ keyword }) => keyword === 'anyOf');
  if (!choice) return errors[0];
  const deeper = errors.filter(({ instancePath }) => instancePath.length > choice.instancePath.length);
  return deeper.findLast(({ keyword }) => keyword === 'anyOf') ?? deeper[0] ?? choice;
}

function describe(schema: Expectation): string {
  const words = schema[EXPECTED];
  if (words !== undefined) return words;
  if (schema.enum)
    return schema.enum.length === 1 ? `"${String(schema.enum[0])}"` : `one of ${schema.enum.join(', ')}`;
  const what = (typeof schema.type === 'string' && ARTICLES[schema.type]) || 'a valid value';
  const { minimum, maximum, minLength, maxLength, properties } = schema;
  const names = Object.keys(properties ?? {});
  if (names.length > 0)
    return `${what} with ${names.length === 1 ? 'the field' : 'fields out of'} ${names.join(', ')}`;
  if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}`;
  if (minLength !== undefined && maxLength !== undefined)
    return `${what} of ${minLength} to ${maxLength} characters`;
  if (maxLength !== undefined) return `${what} of at most ${maxLength} characters`;
  return what;
}
