import { Type, type Static, type TOptional, type TSchema } from 'typebox';
import type { FieldRow } from './field-row.js';
import { FIELD_LIST, type CREATE_FIELDS, type FieldName } from './index.js';

type Schemas = { [Name in FieldName]: TOptional<(typeof CREATE_FIELDS)[Name]['schema']> };

/** Returns the schema of a row, with the row's description and default. */
const withTexts = ({ schema, about, standard }: FieldRow): TSchema =>
  Type.Optional(
    Type.With(schema, { ...(standard !== undefined && { default: standard }), description: about }),
  );

const schemas: Record<string, TSchema> = Object.fromEntries(
  FIELD_LIST.map(({ name, row }) => [name, withTexts(row)]),
);

/** The body of `POST /v0/vm`. Fields that are not listed are ignored. */
export const CreateRequest = Type.Object(schemas as Schemas, {
  description: 'Unknown fields are ignored. Null counts as omitted.',
});
export type CreateRequest = Static<typeof CreateRequest>;
