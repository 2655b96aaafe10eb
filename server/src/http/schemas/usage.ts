import { Type } from 'typebox';

/** Whose usage is asked for. */
export const UsageQuery = Type.Object({
  tenant_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Without it, the usage of all together.' }),
  ),
});

/** Usage by month. */
export const UsageView = Type.Object({
  usage: Type.Array(
    Type.Object({
      date: Type.String({ description: 'Beginning of the month in UTC, RFC 3339: 2030-01-01T00:00:00Z.' }),
      seconds: Type.Integer({ description: 'For which sessions ran, added up.' }),
    }),
    { description: 'Newest first; months without usage are left out.' },
  ),
});
