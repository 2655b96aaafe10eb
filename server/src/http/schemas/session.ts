import { Type, type Static } from 'typebox';
import { nullableText } from '../../create-fields/schema-parts.js';
import { warningList } from './warning-list.js';

/** The addresses and tokens for a session. */
export const SessionAccess = Type.Object({
  session_id: Type.String({ description: 'Identifier of the session, a UUID. It gives no access.' }),
  embed_url: Type.String({ description: 'Address for viewers. It gives access to the session.' }),
  admin_token: Type.String({ description: 'Credential for the endpoints under the address of the session.' }),
  cdp_url: Type.Optional(
    Type.String({
      description:
        'WebSocket address for Playwright and Puppeteer. It gives control of the session. Absent without `automation`.',
    }),
  ),
});
export type SessionAccess = Static<typeof SessionAccess>;

/** Response to the creation of a session. */
export const SessionCreated = Type.Object({
  ...SessionAccess.properties,
  warnings: warningList,
});

const standby = Type.Boolean({ description: 'True while its browser is frozen because nobody uses it.' });

/** Response of `GET /v0/vm/{session_id}`. */
export const SessionView = Type.Object({
  ...SessionAccess.properties,
  creation_date: Type.String({ description: 'RFC 3339, UTC.' }),
  termination_date: nullableText('RFC 3339, UTC; null while the session is active.'),
  termination_reason: nullableText('Reason why the session ended. Null while it is active.'),
  state: Type.String({
    enum: ['starting', 'running', 'ending', 'ended'],
    description: 'State of the session.',
  }),
  viewers: Type.Integer({ description: 'Viewers connected now.' }),
  last_input_date: nullableText('RFC 3339, UTC. Null before the first input.'),
  standby,
});
export type SessionView = Static<typeof SessionView>;

/** A page of running sessions. */
export const SessionList = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The session_id.' }),
      creation_date: Type.String({ description: 'RFC 3339, UTC.' }),
      state: Type.String({ enum: ['starting', 'running', 'ending'] }),
      viewers: Type.Integer({ description: 'Viewers connected now.' }),
      standby,
      tag: nullableText('As given at creation.'),
      tenant_id: nullableText('As given at creation.'),
    }),
    { description: 'Oldest first, 100 at most.' },
  ),
  next: nullableText(
    'Send it as after_id to get the next page. The next page may be empty. Null on an empty page.',
  ),
});
export type SessionList = Static<typeof SessionList>;

/** The position of the requested page in the list. */
export const ListQuery = Type.Object({
  after_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The value of next from the previous page.' }),
  ),
});

/** Response to the end of a session. */
export const SessionEnded = Type.Object({ session_id: Type.String() });

/** Response while a session is still ending. */
export const SessionEnding = Type.Object({
  session_id: Type.String(),
  state: Type.String({
    enum: ['ending'],
    description: 'Its profile is being saved. Repeat the request, or read the session.',
  }),
});

/** The path of one session. */
export const SessionPath = Type.Object({ session_id: Type.String({ maxLength: 100 }) });
