import { Type } from 'typebox';

/** The field `warnings` of a response. */
export const warningList = Type.Optional(
  Type.Array(Type.String(), {
    description: 'One sentence for each value that the service changed. Absent if it changed none.',
  }),
);
