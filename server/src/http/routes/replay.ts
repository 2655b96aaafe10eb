import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { invalidParameter, ServiceError } from '../../service-error.js';
import { chaptersOf } from '../../sessions/recordings/chapters.js';
import { playlistOf } from '../../sessions/recordings/playlist.js';
import type { RecordingFile } from '../../sessions/recordings/recording-ports.js';
import type { RecordingRecord } from '../../sessions/recordings/recording-record.js';
import type { Recordings } from '../../sessions/recordings/recordings.js';
import { flagOf } from '../bodies/query-flag.js';
import { fileRangeOf } from '../files/file-range.js';
import { addressTokenOf, requireReplay, type ReplayAccessParts } from '../access/replay-access.js';
import { Bytes, Text } from '../schemas/content.js';
import {
  RecordedFileQuery,
  RecordingPath,
  RecordingView,
  ReplayQuery,
  ThumbnailQuery,
} from '../schemas/recordings.js';
import { openToPages } from '../access/session-scope.js';
import { PRIVATE_FILE_HEADERS } from '../files/private-file.js';

/** Parts that the routes of recordings need. */
export interface RecordingRoutesParts {
  apiKeys: ApiKeys;
  recordings: Recordings;
  /** Returns the public address of the service, without a trailing slash. */
  publicUrl: () => string;
}

/** Path of one recording, in Fastify's form. */
export const RECORDING_PATH = '/v0/recordings/:id';

const base = {
  ...{ tags: ['Recordings'], params: RecordingPath, querystring: ReplayQuery },
  security: [{ apiKey: [] }, { replayToken: [] }],
} as const;
const file = { ...base, querystring: RecordedFileQuery } as const;
const schemas = {
  read: { ...base, summary: 'Read a recording', response: { 200: RecordingView } },
  video: { ...file, summary: 'Fetch the video of a recording', answers: { 'video/mp4': Bytes } },
  playlist: {
    ...{ ...base, summary: 'Fetch the HLS playlist of a recording' },
    answers: { 'application/vnd.apple.mpegurl': Text },
  },
  events: { ...file, summary: 'Fetch the events of a recording', answers: { 'application/jsonl': Text } },
  chapters: { ...file, summary: 'Fetch the chapters of a recording', answers: { 'text/vtt': Text } },
  thumbnail: {
    ...{ ...base, querystring: ThumbnailQuery, summary: 'Fetch a picture of a recording' },
    answers: { 'image/jpeg': Bytes },
  },
};

/** Smallest and largest width of a thumbnail in pixels. */
const THUMBNAIL_WIDTHS: [number, number] = [16, 1920];
/** Width of a thumbnail in pixels if the request sets none. */
const THUMBNAIL_WIDTH = 320;

/**
 * CORS headers. With them, pages of other origins can request ranges of a video, and can read `Retry-After`.
 */
const CORS = {
  'access-control-allow-headers': 'authorization, content-type, range',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, retry-after',
};

/** Returns a recording in the form of the API. */
export function recordingView(record: RecordingRecord): RecordingView {
  const { id, state, tag, users, seconds, bytes, end } = record;
  return {
    ...{ id, session_id: record.sessionId, tenant_id: record.tenantId, tag, users: [...users], state },
    ...{ start_date: record.startedAt, end_date: record.endedAt, end },
    ...{ seconds: Math.round(seconds * 1000) / 1000, bytes },
  };
}

/** `/v0/recordings/{id}`: reads a recording. Needs an API key or a token of the recording. */
export function replayRoutes(parts: RecordingRoutesParts & ReplayAccessParts): FastifyPluginCallbackTypebox {
  const { recordings } = parts;
  return (app, _options, done) => {
    openToPages(app, CORS);
    const onRequest = requireReplay(parts);
    app.get(RECORDING_PATH, { onRequest, schema: schemas.read }, async ({ params }, reply) => {
      reply.headers(PRIVATE_FILE_HEADERS);
      return recordingView(await recordings.require(params.id));
    });
    app.get(`${RECORDING_PATH}/video.mp4`, { onRequest, schema: schemas.video }, (request, reply) =>
      sendFile(recordings, request, reply, { file: 'video', type: 'video/mp4', extension: 'mp4' }),
    );
    app.get(`${RECORDING_PATH}/events`, { onRequest, schema: schemas.events }, (request, reply) =>
      sendFile(recordings, request, reply, {
        file: 'events',
        type: 'application/jsonl; charset=utf-8',
        extension: 'jsonl',
      }),
    );
    app.get(
      `${RECORDING_PATH}/index.m3u8`,
      { onRequest, schema: schemas.playlist },
      async (request, reply) => {
        await recordings.segmented(request.params.id);
        await recordings.settled(request.params.id);
        const { id, state } = await recordings.require(request.params.id);
        const token = addressTokenOf(request);
        const parts = await recordings.files.fragments(id);
        // While a recording is being finalized, its video may be rewritten with fragments at other positions.
        // Until the recording is ready or its video is rewritten, the playlist is marked as incomplete. So
        // players load it again.
        const text = playlistOf(parts, {
          complete: state !== 'recording' && !(state === 'finalizing' && parts.live),
          video: token === undefined ? 'video.mp4' : `video.mp4?token=${encodeURIComponent(token)}`,
        });
        return reply.headers(PRIVATE_FILE_HEADERS).type('application/vnd.apple.mpegurl').send(text);
      },
    );
    app.get(
      `${RECORDING_PATH}/chapters.vtt`,
      { onRequest, schema: schemas.chapters },
      async (request, reply) => {
        const record = await recordings.require(request.params.id);
        const { id, seconds } = record;
        const size = (await recordings.files.size(id, 'events')) ?? 0;
        const text = await chaptersOf(recordings.files.read(id, 'events', 0, size - 1), seconds);
        offerDownload(reply, request.query, record, 'vtt');
        return reply.headers(PRIVATE_FILE_HEADERS).type('text/vtt; charset=utf-8').send(text);
      },
    );
    app.get(
      `${RECORDING_PATH}/thumbnail.jpg`,
      { onRequest, schema: schemas.thumbnail },
      async ({ params, query }, reply) => {
        const record = await recordings.require(params.id);
        const { id, state, seconds } = record;
        const order = {
          seconds: numberOf('t', query.t, [0, Infinity]) ?? Math.min(seconds / 10, 10),
          width: numberOf('width', query.width, THUMBNAIL_WIDTHS) ?? THUMBNAIL_WIDTH,
        };
        const picture = await recordings.thumbnails.of(id, order, state === 'ready');
        offerDownload(reply, query, record, 'jpg');
        return reply.headers(PRIVATE_FILE_HEADERS).type('image/jpeg').send(picture);
      },
    );
    done();
  };
}

/** Returns a number of a query. Throws {@link ServiceError} if the text is not a number in the range. */
function numberOf(
  field: string,
  text: string | undefined,
  [least, most]: [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= least && value <= most) return value;
  throw invalidParameter(
    field,
    most === Infinity ? `a number from ${least}` : `a number from ${least} to ${most}`,
  );
}

/**
 * Lets browsers save a file of a recording if the query has `download`. On links to another origin, browsers
 * ignore the attribute `download`, so only this header can do it. A link with `&download` means yes.
 *
 * @param extension end of the file's name
 */
function offerDownload(
  reply: FastifyReply,
  { download }: { download?: string },
  { startedAt }: Pick<RecordingRecord, 'startedAt'>,
  extension: string,
): void {
  if (download === undefined || (download !== '' && !flagOf(download, 'download'))) return;
  // Names of files on Windows have no colons.
  const start = startedAt.slice(0, 19).replaceAll(':', '-');
  reply.header('content-disposition', `attachment; filename="recording-${start}.${extension}"`);
}

/** Sends a file of a recording, or the range of the file that the request names. */
async function sendFile(
  recordings: Recordings,
  request: FastifyRequest<{ Params: { id: string }; Querystring: { download?: string } }>,
  reply: FastifyReply,
  { file, type, extension }: { file: RecordingFile; type: string; extension: string },
): Promise<FastifyReply> {
  if (file === 'video') await recordings.settled(request.params.id);
  const record = await recordings.require(request.params.id);
  const { id } = record;
  const size = await recordings.files.size(id, file);
  if (size === undefined) throw new ServiceError('err_not_found', 'file of this recording');
  reply.headers({ ...PRIVATE_FILE_HEADERS, 'accept-ranges': 'bytes' });
  const range = fileRangeOf(request.headers.range, size);
  if (range === 'none') {
    reply.header('content-range', `bytes */${size}`);
    throw new ServiceError('err_range', size);
  }
  offerDownload(reply, request.query, record, extension);
  reply.type(type);
  const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range;
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return reply.send(recordings.files.read(id, file, start, end));
}
