import { Type } from 'typebox';
import { expected, numbersToo } from './expected.js';
import { flag, limit, text, warning } from './schema-parts.js';
import { MAX_SECRET_CHARS, MAX_URL_CHARS } from './limits.js';
import type { ProfileRequest } from './values/profile-request.js';
import { REGIONS } from './values/region.js';
import { RecordingChoice } from './values/recording-request.js';
import { browserFlag, row } from './field-row.js';

/** Default time limits of a session, in seconds. */
export const STANDARD_LIMITS = { absolute: null, inactive: null, offline: 3600, warning: 60 } as const;

const profileId = { type: 'string', maxLength: 100 };

/** Creation fields of the session as a whole: its profile, time limits, tag, tenant and region. */
export const SESSION_FIELDS = {
  profile: row({
    schema: Type.Unsafe<ProfileRequest>({
      anyOf: [
        { type: 'boolean' },
        profileId,
        {
          type: 'object',
          properties: {
            load: { ...profileId, description: 'Id of the session whose profile is loaded.' },
            save: {
              anyOf: [{ type: 'boolean' }, profileId],
              default: false,
              description: 'true: a new profile with the id of this session. An id: replaces that profile.',
              ...expected('true, false or a session id'),
            },
          },
        },
      ],
      ...expected('true, false, a session id, or an object with load and save'),
    }),
    about:
      'Browser state (bookmarks, history, passwords, cookies, tabs) to load and to save. The id of a profile is the `session_id` of the session that saved it first. `true`: saves a new profile. An id: loads that profile and saves to it. `{load, save}`: sets the two separately. `load` is an id. `save` is `true` (a new profile), an id, or `false` (default: nothing is saved).',
    host: { restoreTabs: 'cold', keepProfile: 'cold' },
  }),
  record: row({
    schema: RecordingChoice,
    about:
      'Records the session as a video with sound and events. `true`, or `{audio, fps, events, max_seconds, max_mb}`. With `{ring: 60}`, the session keeps its last 60 seconds in memory, for a recording of what has just happened.',
    links: 'See [recording](recording.md).',
    shown: { standard: '`false`' },
    host: { ring: 'later' },
  }),
  timeout: row({
    schema: Type.Object({
      absolute: limit('Seconds after creation at which the session ends.', STANDARD_LIMITS.absolute),
      inactive: limit(
        'Seconds without input of a person after which the session ends.',
        STANDARD_LIMITS.inactive,
      ),
      offline: limit(
        'Seconds without a connected viewer after which the session ends.',
        STANDARD_LIMITS.offline,
      ),
      warning: warning(STANDARD_LIMITS.warning),
      webhook: Type.Optional(
        Type.Object(
          {
            url: text(1, MAX_URL_CHARS, 'Receives an event for every timeout that ends the session.'),
            bearer: Type.Optional(text(1, MAX_SECRET_CHARS, 'Sent as a bearer token with every event.')),
            warnings: flag(false, 'Sends an event for every warning too.'),
            handoffs: flag(
              false,
              'Sends an event when an agent asks for a person, and when this request ends.',
            ),
          },
          { description: 'Endpoint for timeout events.' },
        ),
      ),
    }),
    about: 'Time limits of the session, and their webhook.',
    links: 'See [the limits](#change-the-time-limits) and [timeout events](#timeout-events).',
    shown: { standard: '`offline` 3600, `warning` 60' },
  }),
  standby: browserFlag(
    'later',
    'Freezes the browser after a minute without a viewer, a program, a recording, a file transfer or sound. The browser continues when a viewer or a program connects. The time limits also apply to a frozen session.',
    'See [standby](#standby).',
  ),
  offline_timeout: row({
    schema: limit(),
    about: 'Old form of `timeout.offline`. Used only if `timeout.offline` is not set.',
    deprecated: true,
  }),
  tag: row({
    schema: text(1, 256, undefined, numbersToo),
    about:
      'While a session with this tag runs, the service returns that session instead of a new one. The other fields of the request then have no effect, and the response has no warnings.',
  }),
  tenant_id: row({
    schema: text(1, 256, undefined, numbersToo),
    about: 'A name of yours, for counting usage.',
    links: 'See [usage](#usage).',
  }),
  region: row({
    schema: text(1, 256),
    about: `Region of the session, one of ${REGIONS.map((name) => `\`${name}\``).join(', ')}. The service refuses a region that it does not serve. It accepts the IP address of a user and ignores it. It ignores any other value too, with a warning.`,
    shown: { standard: 'any' },
  }),
};
