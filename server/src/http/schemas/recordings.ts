import { Type, type Static } from 'typebox';
import { exact } from '../../create-fields/expected.js';
import { nullableText } from '../../create-fields/schema-parts.js';
import { RecordingStart } from '../../create-fields/values/recording-request.js';
import { RECORDING_ENDS } from '../../recording-protocol.js';
import { Ttl } from './session/tokens.js';

/** The body of `POST {session}/recordings`. */
export const RecordingBody = Type.Object(RecordingStart.properties, {
  description: 'Settings of the recording. All are optional.',
});

/** The body of `POST {session}/recordings/{id}/markers`. */
export const MarkerBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the marker.' }),
});

/** A recording. */
export const RecordingView = Type.Object({
  id: Type.String({ description: 'A UUID.' }),
  session_id: Type.String(),
  tenant_id: nullableText('As given at the creation of the session.'),
  tag: nullableText('As given at the creation of the session.'),
  users: Type.Array(Type.String(), {
    description: 'Ids of the users who were in the session, 100 at most.',
  }),
  state: Type.String({
    enum: ['recording', 'finalizing', 'ready', 'failed'],
    description: '`failed`: nothing was recorded.',
  }),
  start_date: Type.String({ description: 'RFC 3339, UTC.' }),
  end_date: nullableText('RFC 3339, UTC. Null while the session is being recorded.'),
  end: Type.Unsafe<string | null>({
    anyOf: [{ type: 'string', enum: [...RECORDING_ENDS] }, { type: 'null' }],
    description: 'Reason of the end. Null while the session is being recorded.',
  }),
  seconds: Type.Number({ description: 'Duration of the video.' }),
  bytes: Type.Integer({ description: 'Size of video and events.' }),
});
export type RecordingView = Static<typeof RecordingView>;

/** A page of recordings. */
export const RecordingList = Type.Object({
  results: Type.Array(RecordingView, { description: 'Newest first, 100 at most.' }),
  next: nullableText('Value of after_id for the next page. Null on the last page.'),
});

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }));

/**
 * Filters of the list. An unknown parameter is refused, because it can be a misspelled filter. Without the
 * filter, the answer could contain recordings of other tenants.
 */
export const RecordingListQuery = Type.Object(
  {
    session: filter('Id of the session.'),
    tag: filter('Tag of the session.'),
    tenant: filter('Tenant of the session.'),
    user: filter('Id of a user who was in the session. Selects only recordings that have ended.'),
    from: filter('Earliest start, RFC 3339.'),
    to: filter('Latest start, RFC 3339.'),
    after_id: filter('The value of next from the previous page.'),
  },
  { additionalProperties: false },
);

/** Parameters of the requests that read one recording. */
export const ReplayQuery = Type.Object({
  token: filter('A token of the recording, for players that cannot send a header.'),
});

/** Parameters of the requests for a file of a recording that can be saved. */
export const RecordedFileQuery = Type.Object({
  ...ReplayQuery.properties,
  download: filter('true, or no value: browsers save the file instead of showing it. Default false.'),
});

/** Parameters of `GET /v0/recordings/{id}/thumbnail.jpg`. */
export const ThumbnailQuery = Type.Object({
  ...RecordedFileQuery.properties,
  t: filter('Position in the video in seconds. Default: a tenth of its length, at most 10.'),
  width: filter(
    'Largest width in pixels, 16 to 1920, default 320. The picture keeps the ratio of width to height of the video.',
  ),
});

/** The body of `POST /v0/recordings/{id}/tokens`. */
export const ReplayTokenBody = Type.Object({ ttl: Type.Optional(Ttl) }, exact);

const replayToken = {
  token_id: Type.String({ description: 'Identifier of the token. It gives no access.' }),
  scope: Type.String({ enum: ['replay'] }),
  expires: Type.String({ description: 'RFC 3339, UTC.' }),
};
const address = (what: string) => Type.String({ description: `Address of ${what} with the token.` });

/** Response of `POST /v0/recordings/{id}/tokens`. */
export const ReplayTokenIssued = Type.Object({
  ...replayToken,
  token: Type.String({ description: 'The secret. The service cannot return it again.' }),
  url: address('the recording'),
  video_url: address('its video'),
  playlist_url: address('its HLS playlist'),
});

/** Response of `GET /v0/recordings/{id}/tokens`. */
export const ReplayTokenList = Type.Object({
  tokens: Type.Array(
    Type.Object({ ...replayToken, created: Type.String({ description: 'RFC 3339, UTC.' }) }),
    { description: 'The valid tokens, oldest first, without their secrets.' },
  ),
});

/** Path of a recording. */
export const RecordingPath = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Path of a token of a recording. */
export const ReplayTokenPath = Type.Object({
  id: Type.String({ maxLength: 100 }),
  token_id: Type.String({ maxLength: 100, description: 'Identifier of the token.' }),
});

/** Path of a recording at its session's own address. */
export const SessionRecordingPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  id: Type.String({ maxLength: 100 }),
});

/** Answer to a removal. */
export const RecordingRemoved = Type.Object({ id: Type.String() });
