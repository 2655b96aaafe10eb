import { EXACT, NUMBERS_TOO } from '../../create-fields/expected.js';
import { isRecord } from '../../platform/is-record.js';

/** The parts of a JSON schema that say how to convert a value. */
interface Schema {
  type?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  /** Schemas of the items by index. */
  prefixItems?: readonly Schema[];
  anyOf?: readonly Schema[];
  [EXACT]?: boolean;
  [NUMBERS_TOO]?: boolean;
}

type Json = Record<string, unknown>;

/** Each digit has one possible place, so that the time for a long text is in proportion to its length. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);
/** Not used in a choice (`anyOf`), where 0 and 1 can be numbers. */
const BITS = new Map<unknown, boolean>([
  ...[1, '1'].map((bit) => [bit, true] as const),
  ...[0, '0'].map((bit) => [bit, false] as const),
]);

/**
 * Converts a request's value to the types of its schema: texts to numbers and booleans, 0 and 1 to booleans,
 * and numbers to texts if the schema has {@link NUMBERS_TOO}. Drops fields with null if their schema does not
 * allow null. Also drops fields with an empty text, and fields with an empty object if their schema expects
 * an object. If the schema of a field has {@link EXACT}, its empty values stay. The validator reports all
 * other mismatches.
 */
export function convertTypes(schema: Schema, value: unknown): unknown {
  if (schema.anyOf) return convertTypes(alternative(schema.anyOf, value), value);
  if (isKind(schema, 'null') && value === null) return value;
  if (isKind(schema, 'object')) return isRecord(value) ? fieldsOf(schema, value) : value;
  if (isKind(schema, 'array')) return Array.isArray(value) ? itemsOf(schema, value) : value;
  if (isKind(schema, 'boolean')) return booleanOf(value) ?? BITS.get(trimmed(value)) ?? value;
  if (isKind(schema, 'number') || isKind(schema, 'integer')) return numberOf(value) ?? value;
  return schema[NUMBERS_TOO] && Number.isFinite(value) ? String(value) : value;
}

function fieldsOf({ properties = {} }: Schema, value: Json): Json {
  const fields: Json = {};
  for (const [name, given] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const meant = schema ? convertTypes(schema, given) : given;
    if (!schema || !isNothing(schema, meant)) fields[name] = meant;
  }
  return fields;
}

function itemsOf({ items, prefixItems }: Schema, value: readonly unknown[]): unknown[] {
  return value.map((item, index) => {
    const schema = prefixItems ? prefixItems[index] : items;
    return schema ? convertTypes(schema, item) : item;
  });
}

/**
 * Returns the alternative of a choice that this value can match. Returns an empty schema if there is none.
 */
function alternative(choices: readonly Schema[], value: unknown): Schema {
  const of = (kind: string) => choices.find((choice) => isKind(choice, kind));
  if (isRecord(value)) return of('object') ?? {};
  if (booleanOf(value) !== undefined) return of('boolean') ?? {};
  return (numberOf(value) === undefined ? undefined : of('number')) ?? {};
}

function isNothing(schema: Schema, value: unknown): boolean {
  if (value === null) return !isKind(schema, 'null');
  if (schema[EXACT] === true) return false;
  if (value === '') return true;
  return isRecord(value) && Object.keys(value).length === 0 && kindsOf(schema).includes('object');
}

function kindsOf({ type, anyOf }: Schema): unknown[] {
  return [type, ...(anyOf ?? []).flatMap(kindsOf)].flat();
}

function isKind({ type }: Schema, kind: string): boolean {
  return Array.isArray(type) ? type.includes(kind) : type === kind;
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'string' ? BOOLEANS.get(value.trim().toLowerCase()) : undefined;
}

function numberOf(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return NUMBER.test(text) ? Number(text) : undefined;
}
