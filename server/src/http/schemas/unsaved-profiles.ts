import { Type, type Static } from 'typebox';
import { nullableText } from '../../create-fields/schema-parts.js';

/** The profiles whose newest data is on unreachable machines. */
export const UnsavedProfiles = Type.Object({
  profiles: Type.Array(
    Type.Object({
      profile: Type.String({ description: 'Identifier of the profile.' }),
      session_id: nullableText('The session that wrote the data. Null if it is unknown.'),
      node: Type.String({ description: 'Code of the machine that has the data.' }),
      node_name: nullableText('Name of that machine. Null if the machine is not known any more.'),
      session_date: Type.String({ description: 'Start of the session. RFC 3339, UTC.' }),
    }),
    { description: 'Oldest first.' },
  ),
});
export type UnsavedProfiles = Static<typeof UnsavedProfiles>;

/** The path of one profile. */
export const UnsavedProfilePath = Type.Object({ profile: Type.String({ maxLength: 100 }) });

/** The machine whose data the operator discards. */
export const GiveUpQuery = Type.Object({
  node: Type.String({
    pattern: '^[\\da-f]{6}$',
    description: 'Code of the machine whose data is discarded, for all profiles.',
  }),
});

/** The profiles whose data was discarded. */
export const GivenUp = Type.Object({ profiles: Type.Array(Type.String()) });
