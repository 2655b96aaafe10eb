import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';
import { chaptersOf } from '../../sessions/recordings/chapters.js';
import { playlistOf } from '../../sessions/recordings/playlist.js';
import type { RecordingFile } from '../../sessions/recordings/recording-ports.js';
import type { RecordingRecord } from '../../sessions/recordings/recording-record.js';
import type { Recordings } from '../../sessions/recordings/recordings.js';
import { fileRangeOf } from '../file-range.js';
import { addressTokenOf, requireReplay } from '../replay-access.js';
import { RecordingPath, RecordingView, ReplayQuery } from '../schemas/recordings.js';
import { openToPages } from '../session-scope.js';

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
const schemas = {
  read: { ...base, summary: 'Read a recording', response: { 200: RecordingView } },
  video: { ...base, summary: 'Fetch the video of a recording' },
  stream: { ...base, summary: 'Fetch the video of a recording without an index' },
  playlist: { ...base, summary: 'Fetch the HLS playlist of a recording' },
  events: { ...base, summary: 'Fetch the events of a recording' },
  chapters: { ...base, summary: 'Fetch the chapters of a recording' },
};

/**
 * Headers that stop browsers from storing a recording, showing its data as a page of this service, and
 * sending the token in its address to others. Pages of all origins may show a recording.
 */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Headers for pages of other origins, which read ranges of a video. */
const CORS = {
  'access-control-allow-headers': 'authorization, content-type, range',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range',
};

/** Returns a recording in the form for callers. */
export function recordingView(record: RecordingRecord): RecordingView {
  const { id, state, tag, seconds, bytes, end } = record;
  return {
    ...{ id, session_id: record.sessionId, tenant_id: record.tenantId, tag, state },
    ...{ start_date: record.startedAt, end_date: record.endedAt, end },
    ...{ seconds: Math.round(seconds * 1000) / 1000, bytes },
  };
}

/** `/v0/recordings/{id}`: reads a recording. Needs an API key or a token of the recording. */
export function replayRoutes({ apiKeys, recordings }: RecordingRoutesParts): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    openToPages(app, CORS);
    const onRequest = requireReplay(apiKeys, recordings.tokens);
    app.get(RECORDING_PATH, { onRequest, schema: schemas.read }, async ({ params }, reply) => {
      reply.headers(HEADERS);
      return recordingView(await recordings.require(params.id));
    });
    app.get(`${RECORDING_PATH}/video.mp4`, { onRequest, schema: schemas.video }, async (request, reply) => {
      const { id, state } = await recordings.require(request.params.id);
      // The index of a running recording would change between two requests for ranges.
      const file = state === 'ready' ? recordings.videos : fileOf(recordings, 'video');
      return sendFile({ id, file, type: 'video/mp4' }, request, reply);
    });
    app.get(`${RECORDING_PATH}/stream.mp4`, { onRequest, schema: schemas.stream }, async (request, reply) => {
      const { id } = await recordings.require(request.params.id);
      return sendFile({ id, file: fileOf(recordings, 'video'), type: 'video/mp4' }, request, reply);
    });
    app.get(`${RECORDING_PATH}/events`, { onRequest, schema: schemas.events }, async (request, reply) => {
      const { id } = await recordings.require(request.params.id);
      const type = 'application/jsonl; charset=utf-8';
      return sendFile({ id, file: fileOf(recordings, 'events'), type }, request, reply);
    });
    app.get(
      `${RECORDING_PATH}/index.m3u8`,
      { onRequest, schema: schemas.playlist },
      async (request, reply) => {
        const { id, state } = await recordings.require(request.params.id);
        const token = addressTokenOf(request);
        const text = playlistOf(await recordings.files.fragments(id), {
          complete: state !== 'recording',
          video: token === undefined ? 'stream.mp4' : `stream.mp4?token=${encodeURIComponent(token)}`,
        });
        return reply.headers(HEADERS).type('application/vnd.apple.mpegurl').send(text);
      },
    );
    app.get(
      `${RECORDING_PATH}/chapters.vtt`,
      { onRequest, schema: schemas.chapters },
      async (request, reply) => {
        const { id, seconds } = await recordings.require(request.params.id);
        const size = (await recordings.files.size(id, 'events')) ?? 0;
        const text = await chaptersOf(recordings.files.read(id, 'events', 0, size - 1), seconds);
        return reply.headers(HEADERS).type('text/vtt; charset=utf-8').send(text);
      },
    );
    done();
  };
}

/** A file that is sent in ranges. */
interface RangedFile {
  /** Size of the file of a recording. Undefined if there is none. */
  size(id: string): Promise<number | undefined>;
  /** Reads it from its byte `start` to its byte `end`, both included. */
  read(id: string, start: number, end: number): Readable | Promise<Readable>;
}

/** Returns a file of recordings as it is stored. */
function fileOf({ files }: Recordings, name: RecordingFile): RangedFile {
  return {
    size: (id) => files.size(id, name),
    read: (id, start, end) => files.read(id, name, start, end),
  };
}

/** Sends a file of a recording, or the range of it that the request asks for. */
async function sendFile(
  { id, file, type }: { id: string; file: RangedFile; type: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const size = await file.size(id);
  if (size === undefined) throw new ServiceError('err_not_found', 'file of this recording');
  reply.headers({ ...HEADERS, 'accept-ranges': 'bytes' }).type(type);
  const range = fileRangeOf(request.headers.range, size);
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range;
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return reply.send(await file.read(id, start, end));
}
