import { join } from 'node:path';
import { LOG_LEVELS } from '../../platform/log.js';
import { parseS3Address } from '../../platform/network/s3-address.js';
import { directory, integer, oneOf, values } from './value-types.js';
import { variable } from './variable.js';

const ROOT_STATE_DIR = '/var/lib/cloud-browser';

/** Variables for files that the service keeps or reads, and for its log. */
export const FILE_VARIABLES = {
  STATE_DIR: variable(directory(), {
    default: ({ uid, home }, environment) =>
      uid === 0
        ? ROOT_STATE_DIR
        : join(environment['XDG_STATE_HOME']?.trim() || join(home, '.local', 'state'), 'cloud-browser'),
    defaultText: `\`${ROOT_STATE_DIR}\` as root, else \`cloud-browser\` in \`$XDG_STATE_HOME\`, by default \`~/.local/state\``,
    help: 'directory of records and the server key',
    docs: 'See [below](#files-that-the-service-keeps)',
  }),
  RUNTIME_DIR: variable(directory(), {
    default: ({ uid, temporary }) => join(temporary, uid === 0 ? 'cloud-browser' : `cloud-browser-${uid}`),
    defaultText:
      '`cloud-browser` in the directory for temporary files, with the user id appended if not root',
    help: 'directory of the files of running sessions',
    docs: 'Its path can have 88 bytes. If the service runs as root, every directory above it must allow all users to traverse it',
  }),
  PROFILE_KEY: variable(
    values('32 bytes in hexadecimal or base64, for example the output of `openssl rand -hex 32`', (value) => {
      const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64');
      return key.length === 32 ? key : undefined;
    }),
    {
      secret: true,
      defaultText:
        'a random key, stored in `STATE_DIR`. With `DATABASE_URL`, a key that the service derives from `CLUSTER_SECRET`',
      help: 'key that encrypts profiles and recordings',
    },
  ),
  MAX_PROFILE_MB: variable(integer(1, 1_000_000), {
    default: 1_024,
    help: 'largest profile that is saved, in MB of 2^20 bytes before compression',
  }),
  RECORD_DAYS: variable(integer(1, 36_500), {
    default: 90,
    help: 'days for which the record of an ended session can be read',
  }),
  RECORDINGS_DIR: variable(directory(), {
    defaultText: '`recordings` in `STATE_DIR`',
    help: 'directory of the recordings of sessions',
    docs: 'See [recording](recording.md). All nodes of a cluster must see the same directory, unless `RECORDINGS_URL` is set',
  }),
  RECORDINGS_ENCRYPTION: variable(oneOf(['on', 'off']), {
    default: 'on',
    help: 'encrypts new recordings with the key of profiles (`PROFILE_KEY`)',
    docs: 'See [below](#encrypted-recordings)',
  }),
  RECORDINGS_URL: variable(
    values(
      'an address such as `s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com`',
      parseS3Address,
    ),
    {
      defaultText: 'none: recordings stay in their directory',
      help: 'store to which complete recordings are moved',
      docs: 'See [below](#recordings-in-s3)',
    },
  ),
  RECORDINGS_BUFFER_MB: variable(integer(1, 1_000_000_000), {
    default: 2_048,
    help: 'limit for recordings that wait until they are moved to `RECORDINGS_URL`, in MB of 2^20 bytes',
  }),
  RECORDINGS_MB: variable(integer(1, 1_000_000_000), {
    default: 10_240,
    help: 'MB of 2^20 bytes that all recordings together can take',
  }),
  RECORDING_DAYS: variable(integer(1, 36_500), {
    default: 30,
    help: 'days for which a recording is kept',
  }),
  DOCS_DIR: variable(directory(), {
    defaultText: 'none',
    help: 'directory of the documentation that `npm run docs` builds, to serve it at `/docs/`',
    docs: '`npm start` sets this variable if the documentation was built',
  }),
  LOG_LEVEL: variable(oneOf(LOG_LEVELS), {
    default: 'info',
    help: 'lowest level of the log lines that are written',
  }),
};
