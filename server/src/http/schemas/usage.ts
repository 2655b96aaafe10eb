import { Type } from 'typebox';

/**
 * The tenant whose usage is requested. An unknown parameter is refused, because it can be a misspelled
 * `tenant_id`. Without it, the answer would contain the usage of all tenants.
 */
export const UsageQuery = Type.Object(
  {
    tenant_id: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 256 },
        description: 'Default: the usage of all tenants together.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Usage by month. */
export const UsageView = Type.Object({
  usage: Type.Array(
    Type.Object({
      date: Type.String({ description: 'Beginning of the month in UTC, RFC 3339: 2030-01-01T00:00:00Z.' }),
      seconds: Type.Integer({ description: 'Total running time of sessions in seconds.' }),
    }),
    { description: 'Newest first; months without usage are left out.' },
  ),
});
