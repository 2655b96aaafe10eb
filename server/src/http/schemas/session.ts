import { Type, type Static } from 'typebox';
import { nullableText } from '../../sessions/settings/fields.js';

/** What opens a session. */
export const SessionAccess = Type.Object({
  session_id: Type.String({ description: 'Identifier of the session, a UUID. It opens nothing by itself.' }),
  embed_url: Type.String({ description: 'Address for viewers. Whoever has it may view and control.' }),
  admin_token: Type.String({ description: 'Credential for the endpoints under the address of the session.' }),
});
export type SessionAccess = Static<typeof SessionAccess>;

/** What creating a session answers. */
export const SessionCreated = Type.Object({
  ...SessionAccess.properties,
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Sentences about what was taken in another way than it was said; absent when there is none.',
    }),
  ),
});

/** A session as `GET /v0/vm/{session_id}` shows it. */
export const SessionView = Type.Object({
  ...SessionAccess.properties,
  creation_date: Type.String({ description: 'RFC 3339, UTC.' }),
  termination_date: nullableText('RFC 3339, UTC; null while the session is active.'),
  termination_reason: nullableText('Why the session ended; null while it is active.'),
  state: Type.String({
    enum: ['starting', 'running', 'ended'],
    description: 'Where the session is in its life.',
  }),
  viewers: Type.Integer({ description: 'Viewers connected now.' }),
  last_input_date: nullableText('RFC 3339, UTC, to a second; null when nobody did anything yet.'),
});
export type SessionView = Static<typeof SessionView>;

/** A page of running sessions. */
export const SessionList = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The session_id.' }),
      creation_date: Type.String({ description: 'RFC 3339, UTC.' }),
      state: Type.String({ enum: ['starting', 'running'] }),
      viewers: Type.Integer({ description: 'Viewers connected now.' }),
      tag: nullableText('As given at creation.'),
      tenant_id: nullableText('As given at creation.'),
    }),
    { description: 'Oldest first, 100 at most.' },
  ),
  next: nullableText('What to pass as after_id for the next page, which may be empty; null on an empty one.'),
});
export type SessionList = Static<typeof SessionList>;

/** Which page of the list. */
export const ListQuery = Type.Object({
  after_id: Type.Optional(Type.String({ maxLength: 100, description: 'The next of the page before.' })),
});

/** What ending a session answers. */
export const SessionEnded = Type.Object({ session_id: Type.String() });

/** The path of one session. */
export const SessionPath = Type.Object({ session_id: Type.String({ maxLength: 100 }) });
