import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { invalidParameter } from '../../service-error.js';
import type { ReplayToken } from '../../sessions/recordings/replay-tokens.js';
import { requireApiKey } from '../access/credential.js';
import {
  RecordingList,
  RecordingListQuery,
  RecordingPath,
  RecordingRemoved,
  ReplayTokenBody,
  ReplayTokenIssued,
  ReplayTokenList,
  ReplayTokenPath,
} from '../schemas/recordings.js';
import { TOKEN_TTL, TokenRevoked } from '../schemas/session/tokens.js';
import { RECORDING_PATH, recordingView, type RecordingRoutesParts } from './replay.js';

const PATH = '/v0/recordings';
const TOKENS = `${RECORDING_PATH}/tokens`;
/** A date, or a date with time, of RFC 3339. Seconds and zone may be missing. */
const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/i;
const RFC_3339_TEXT = 'an RFC 3339 date, such as 2030-01-31 or 2030-01-31T12:00:00Z';
const PLUS_TEXT = '. Send a + in an address as %2B';
const base = { tags: ['Recordings'] };
const one = { ...base, params: RecordingPath };
const schemas = {
  list: {
    ...base,
    summary: 'List recordings',
    querystring: RecordingListQuery,
    response: { 200: RecordingList },
  },
  remove: { ...one, summary: 'Delete a recording', response: { 200: RecordingRemoved } },
  issue: {
    ...{ ...one, summary: 'Issue a token for a recording', body: ReplayTokenBody },
    response: { 200: ReplayTokenIssued },
  },
  tokens: { ...one, summary: 'List the valid tokens of a recording', response: { 200: ReplayTokenList } },
  revoke: {
    ...{ ...base, summary: 'Revoke a token of a recording', params: ReplayTokenPath },
    response: { 200: TokenRevoked },
  },
};

/**
 * `/v0/recordings`: lists and deletes recordings, and issues tokens for single recordings. Needs an API key.
 */
export function recordingRoutes(parts: RecordingRoutesParts): FastifyPluginCallbackTypebox {
  const { apiKeys, recordings, publicUrl } = parts;
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(apiKeys));
    app.get(PATH, { schema: schemas.list }, async ({ query }) => {
      const { session: sessionId, tag, tenant: tenantId, user, from, to, after_id: after } = query;
      const dates = { from: dateOf('from', from), to: dateOf('to', to) };
      const { results, next } = await recordings.list({ sessionId, tag, tenantId, user, ...dates }, after);
      return { results: results.map(recordingView), next };
    });
    app.delete(RECORDING_PATH, { schema: schemas.remove }, async ({ params }) => {
      await recordings.remove(params.id);
      return { id: params.id };
    });
    app.post(TOKENS, { schema: schemas.issue }, async ({ params, body }) => {
      const { id } = await recordings.require(params.id);
      const { token, secret } = await recordings.tokens.issue(id, body.ttl ?? TOKEN_TTL.standard);
      const addressOf = (file: string) => `${publicUrl()}${PATH}/${id}${file}?token=${secret}`;
      return {
        ...{ token_id: token.id, scope: 'replay', token: secret, expires: token.expires },
        ...{ url: addressOf(''), video_url: addressOf('/video.mp4'), playlist_url: addressOf('/index.m3u8') },
      };
    });
    app.get(TOKENS, { schema: schemas.tokens }, async ({ params }) => {
      const { id } = await recordings.require(params.id);
      return { tokens: (await recordings.tokens.list(id)).map(tokenView) };
    });
    app.delete(`${TOKENS}/:token_id`, { schema: schemas.revoke }, async ({ params }) => {
      await recordings.tokens.revoke(params.id, params.token_id);
      return { token_id: params.token_id };
    });
    done();
  };
}

/** Returns a token without its secret and its hash. */
function tokenView({ id, createdAt, expires }: ReplayToken) {
  return { token_id: id, scope: 'replay', created: createdAt, expires };
}

/**
 * Converts a date of a query to RFC 3339, UTC. Throws {@link ServiceError} for any other text. The parser of
 * JavaScript alone is too tolerant: it reads 202401 as a year, and 31 February as a day of March.
 */
function dateOf(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, day = '', time = '00:00', zone = 'Z'] = RFC_3339.exec(text) ?? [];
  const date = utcOf(day)?.startsWith(day) ? utcOf(`${day}T${time}${zone.toUpperCase()}`) : undefined;
  // The time zone can move a date out of the years that RFC 3339 and the database can express.
  if (date === undefined || !/^(?!0000)\d{4}-/.test(date))
    // A "+" that is not encoded arrives as a space.
    throw invalidParameter(field, RFC_3339_TEXT + (/:\S+ \d\d:\d\d$/.test(text) ? PLUS_TEXT : ''));
  return date;
}

function utcOf(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
