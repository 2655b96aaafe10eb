import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../../auth/api-keys.js';
import { recordingSettingsOf } from '../../../create-fields/values/recording-request.js';
import { invalidParameter } from '../../../service-error.js';
import type { Recordings } from '../../../sessions/recordings/recordings.js';
import { unknownParameter } from '../../answers/validation-error.js';
import { AddressPath, NoParameters, Ok } from '../../schemas/session/session-control.js';
import { MarkerBody, RecordingBody, RecordingView, SessionRecordingPath } from '../../schemas/recordings.js';
import {
  ADMIN_OR_KEY,
  adminSession,
  openToPages,
  requireAdminOrKey,
  SESSION_PATH,
  type SessionScopeParts,
} from '../../access/session-scope.js';
import { recordingView } from '../replay.js';

/** Parts that the routes of a session's recordings need. */
export interface SessionRecordingsParts extends SessionScopeParts {
  apiKeys: ApiKeys;
  recordings: Recordings;
}

const PATH = `${SESSION_PATH}/recordings`;
const base = { tags: ['A session'], security: ADMIN_OR_KEY };
const schemas = {
  start: {
    ...{ ...base, summary: 'Start a recording of a session', params: AddressPath },
    ...{ body: RecordingBody, response: { 200: RecordingView } },
  },
  stop: {
    ...{ ...base, summary: 'Stop a recording of a session', params: SessionRecordingPath },
    ...{ body: NoParameters, response: { 200: RecordingView } },
  },
  mark: {
    ...{ ...base, summary: 'Add a marker to a recording', params: SessionRecordingPath },
    ...{ body: MarkerBody, response: { 200: Ok } },
  },
};

/** Starts and stops recordings of a running session. Needs its admin token or an API key. */
export function sessionRecordingRoutes(parts: SessionRecordingsParts): FastifyPluginCallbackTypebox {
  const { sessions, recordings, apiKeys } = parts;
  const onRequest = requireAdminOrKey(parts, apiKeys);
  return (app, _options, done) => {
    openToPages(app);
    app.post(PATH, { onRequest, schema: schemas.start }, async ({ params, body }) => {
      const session = adminSession(sessions, params.address);
      const { from, ring, ...others } = body as typeof body & { ring?: unknown };
      // Without this check, a program would believe that the session keeps its last seconds.
      if (ring !== undefined && ring !== null)
        throw invalidParameter('ring', 'given when the session is created, as record: {"ring": 60}');
      requireKnown(others);
      if (from !== undefined && Object.keys(others).length > 0)
        throw invalidParameter('from', 'the only field, because the session has the settings of its ring');
      if (from !== undefined) return recordingView(await recordings.keepRing(sessions.recorded(session)));
      const settings = recordingSettingsOf(others);
      if (!settings) throw invalidParameter('the body', 'settings of a recording');
      return recordingView(await recordings.start(sessions.recorded(session), settings));
    });
    app.post(`${PATH}/:id/stop`, { onRequest, schema: schemas.stop }, async ({ params }) => {
      const session = adminSession(sessions, params.address);
      return recordingView(await recordings.stop(session.id, params.id));
    });
    app.post(`${PATH}/:id/markers`, { onRequest, schema: schemas.mark }, async ({ params, body }) => {
      const session = adminSession(sessions, params.address);
      await recordings.mark(sessions.recorded(session), params.id, body.name);
      return { status: 'ok' };
    });
    done();
  };
}

/**
 * Throws {@link ServiceError} for an unknown field. It can be a misspelled `from`. Without `from`, the
 * session would be recorded from now on. A field with null counts as omitted.
 */
function requireKnown(body: object): void {
  const known = Object.keys(RecordingBody.properties);
  const unknown = Object.entries(body).find(([name, value]) => value !== null && !known.includes(name));
  if (unknown) throw unknownParameter(unknown[0], known);
}
