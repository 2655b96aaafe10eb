import { isRecord } from '../platform/is-record.js';
import { CreateRequest } from './create-request.js';
import { quotedAll, type Warnings } from './warnings.js';

/** The parts of a JSON schema that name fields. */
interface Schema {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
}

/**
 * Adds a warning for the unknown fields inside the fields of a create request. They can be misspelled: for
 * example, `record: {"rign": 60}` records the whole session. Unknown fields of the request itself add no
 * warning, because clients of other services send fields that do not exist here.
 */
export function warnOfUnknownFields(request: CreateRequest, warnings: Warnings): void {
  const properties: Readonly<Record<string, object>> = CreateRequest.properties;
  const unknown = Object.entries(request).flatMap(([name, value]) =>
    Object.hasOwn(properties, name) ? unknownIn(properties[name] ?? {}, value, name) : [],
  );
  if (unknown.length > 0) warnings.push(`${quotedAll(unknown)}: unknown fields have no effect.`);
}

/** Returns the paths of the unknown fields in a value. A field with null counts as omitted. */
function unknownIn({ properties, items, anyOf }: Schema, value: unknown, path: string): string[] {
  if (anyOf) {
    const object = anyOf.find((choice) => choice.properties);
    return object ? unknownIn(object, value, path) : [];
  }
  if (items && Array.isArray(value))
    return value.flatMap((item, index) => unknownIn(items, item, `${path}.${index}`));
  if (!properties || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${path}.${name}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return unknownIn(known, inner, at);
    return inner === null ? [] : [at];
  });
}
