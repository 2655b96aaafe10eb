import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { invalidParameter, ServiceError } from '../../service-error.js';
import { chaptersOf } from '../../sessions/recordings/chapters.js';
import { playlistOf } from '../../sessions/recordings/playlist.js';
import type { RecordingFile } from '../../sessions/recordings/recording-ports.js';
import type { RecordingRecord } from '../../sessions/recordings/recording-record.js';
import type { Recordings } from '../../sessions/recordings/recordings.js';
import { fileRangeOf } from '../file-range.js';
import { requireApiKey } from '../credential.js';
import {
  RecordingList,
  RecordingListQuery,
  RecordingPath,
  RecordingRemoved,
  RecordingView,
} from '../schemas/recordings.js';

/** Parts that the routes of recordings need. */
export interface RecordingRoutesParts {
  apiKeys: ApiKeys;
  recordings: Recordings;
}

const PATH = '/v0/recordings';
const ONE = `${PATH}/:id`;
const base = { tags: ['Recordings'] };
const one = { ...base, params: RecordingPath };
const schemas = {
  list: {
    ...base,
    summary: 'List recordings',
    querystring: RecordingListQuery,
    response: { 200: RecordingList },
  },
  read: { ...one, summary: 'Read a recording', response: { 200: RecordingView } },
  remove: { ...one, summary: 'Delete a recording', response: { 200: RecordingRemoved } },
  video: { ...one, summary: 'Fetch the video of a recording' },
  playlist: { ...one, summary: 'Fetch the HLS playlist of a recording' },
  events: { ...one, summary: 'Fetch the events of a recording' },
  chapters: { ...one, summary: 'Fetch the chapters of a recording' },
};

/** Headers that stop browsers from storing a recording, or showing its data as a page of this service. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
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

/** `/v0/recordings`: lists, reads and deletes recordings. Needs an API key. */
export function recordingRoutes({ apiKeys, recordings }: RecordingRoutesParts): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(apiKeys));
    app.get(PATH, { schema: schemas.list }, async ({ query }) => {
      const { session: sessionId, tag, tenant: tenantId, from, to, after_id: after } = query;
      const dates = { from: dateOf('from', from), to: dateOf('to', to) };
      const { results, next } = await recordings.list({ sessionId, tag, tenantId, ...dates }, after);
      return { results: results.map(recordingView), next };
    });
    app.get(ONE, { schema: schemas.read }, async ({ params }) =>
      recordingView(await recordings.require(params.id)),
    );
    app.delete(ONE, { schema: schemas.remove }, async ({ params }) => {
      await recordings.remove(params.id);
      return { id: params.id };
    });
    app.get(`${ONE}/video.mp4`, { schema: schemas.video }, async (request, reply) =>
      sendFile(recordings, request, reply, { file: 'video', type: 'video/mp4' }),
    );
    app.get(`${ONE}/events`, { schema: schemas.events }, async (request, reply) =>
      sendFile(recordings, request, reply, { file: 'events', type: 'application/jsonl; charset=utf-8' }),
    );
    app.get(`${ONE}/index.m3u8`, { schema: schemas.playlist }, async ({ params }, reply) => {
      const { id, state } = await recordings.require(params.id);
      const text = playlistOf(await recordings.files.fragments(id), state !== 'recording');
      return reply.headers(HEADERS).type('application/vnd.apple.mpegurl').send(text);
    });
    app.get(`${ONE}/chapters.vtt`, { schema: schemas.chapters }, async ({ params }, reply) => {
      const { id, seconds } = await recordings.require(params.id);
      const size = (await recordings.files.size(id, 'events')) ?? 0;
      const text = await chaptersOf(recordings.files.read(id, 'events', 0, size - 1), seconds);
      return reply.headers(HEADERS).type('text/vtt; charset=utf-8').send(text);
    });
    done();
  };
}

/** Sends a file of a recording, or the range of it that the request asks for. */
async function sendFile(
  recordings: Recordings,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  { file, type }: { file: RecordingFile; type: string },
): Promise<FastifyReply> {
  const { id } = await recordings.require(request.params.id);
  const size = await recordings.files.size(id, file);
  if (size === undefined) throw new ServiceError('err_not_found', 'file of this recording');
  reply.headers({ ...HEADERS, 'accept-ranges': 'bytes' }).type(type);
  const range = fileRangeOf(request.headers.range, size);
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const { start, end } = range === 'all' ? { start: 0, end: size - 1 } : range;
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  reply.header('content-length', end - start + 1);
  return reply.send(recordings.files.read(id, file, start, end));
}

/** Returns a date in the form of the index. Throws {@link ServiceError}. */
function dateOf(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw invalidParameter(field, 'a date, such as 2030-01-31T12:00:00Z');
  return date.toISOString();
}
