import { markdownTable, plainText, withPart } from '../platform/markdown.js';
import type { FieldRow } from './field-row.js';
import { FIELD_LIST } from './index.js';

/** Parts of a JSON schema that say which type a value has. */
interface TypeParts {
  type?: string | readonly string[];
  anyOf?: readonly TypeParts[];
  items?: TypeParts;
}

/** Returns a document with a new table of the creation fields between its two markers. */
export function withFieldsTable(document: string): string {
  const rows = FIELD_LIST.map(({ name, row }) => [
    `\`${name}\``,
    typeOf(row),
    standardOf(row),
    [row.about, row.links].filter(Boolean).join(' '),
  ]);
  return withPart(document, 'fields', markdownTable([['Field', 'Type', 'Default', 'Meaning'], ...rows]));
}

/** Returns the output of `cloud-browser --help create`. */
export function fieldsHelp(): string {
  const width = Math.max(...FIELD_LIST.map(({ name }) => name.length));
  const lines = FIELD_LIST.map(({ name, row }) =>
    plainText(`  ${name.padEnd(width)}  ${row.about} (${typeOf(row)}; default: ${standardOf(row)})`),
  );
  return ['Fields of the JSON body of POST /v0/vm, which creates a session:', '', ...lines, ''].join('\n');
}

function typeOf({ schema, shown }: FieldRow): string {
  return shown?.type ?? typesOf(schema).join(', ');
}

function typesOf({ type, anyOf, items }: TypeParts): readonly string[] {
  if (anyOf) return anyOf.flatMap(typesOf);
  if (items) return typesOf(items).map((name) => `${name}[]`);
  return [type ?? []].flat();
}

function standardOf({ standard, shown }: FieldRow): string {
  if (shown?.standard !== undefined) return shown.standard;
  return standard === undefined ? 'none' : `\`${standard}\``;
}
