import type { Machine } from '../machine.js';
import { integer, someOf } from './value-types.js';
import { variable } from './variable.js';

/**
 * Highest value of `MAX_SESSIONS`. Each session has one of 999 user ids. The other 99 ids are for ended
 * sessions that are still being cleaned up.
 */
const MOST_SESSIONS = 900;
/**
 * Memory that the default of `MAX_SESSIONS` plans for each session. A session with a plain page takes half of
 * it or less.
 */
const MB_PER_SESSION = 800;
const SESSIONS_PER_CORE = 4;
/** Memory of the machine in GB. With less, the service keeps no warm browser by default. */
const LITTLE_MEMORY = 4;
/**
 * Memory of the machine in GB. With at least this, the demo has a warm browser for each of its two kinds of
 * sessions.
 */
const MUCH_MEMORY = 8;
const REGIONS = ['NA', 'EU', 'AS'] as const;

/** Variables for all sessions together. */
export const SESSION_VARIABLES = {
  MAX_SESSIONS: variable(integer(1, MOST_SESSIONS), {
    default: defaultMaxSessions,
    defaultText: `${SESSIONS_PER_CORE} per core, at most one per ${MB_PER_SESSION} MB of memory`,
    help: 'sessions that can run at once',
  }),
  WARM_HOSTS: variable(integer(0, 16), {
    default: 1,
    help: 'session hosts that the service keeps ready, so that a session starts sooner',
    docs: 'Each has its display and takes 45 MB, see [below](#memory-of-warm-hosts-and-browsers)',
  }),
  WARM_BROWSERS: variable(integer(0, 64), {
    default: defaultWarmBrowsers,
    defaultText:
      `0 with one core or less than ${LITTLE_MEMORY} GB of memory. Otherwise 2 without \`API_KEYS\` and with at ` +
      `least ${MUCH_MEMORY} GB. Otherwise 1`,
    help: 'browsers that the service keeps running for sessions like those of the last half hour',
    docs:
      "See [warm browsers](#warm-browsers). Each takes 130 MB, all together another 300 MB for Chromium's " +
      'files, see [below](#memory-of-warm-hosts-and-browsers)',
  }),
  CREATES_PER_MINUTE: variable(integer(1, 100_000), {
    default: 120,
    help: 'sessions that one API key can create in a minute',
    docs: 'Further creates are refused with 429 and `Retry-After`',
  }),
  DRAIN_SECONDS: variable(integer(0, 86_400), {
    default: 60,
    help: 'seconds for which sessions with viewers continue after SIGTERM',
  }),
  REGION: variable(someOf(REGIONS), {
    default: REGIONS,
    defaultText: 'all',
    help: 'regions that this service runs sessions for',
  }),
  SESSION_UID_BASE: variable(integer(1_000, 2_000_000_000), {
    default: 64_000,
    help: 'first of 1000 user ids that no other user may have. Used only if the service runs as root',
    docs:
      '999 are for sessions, the last one is for the egress process. ' +
      'All services on one machine must have the same value',
  }),
};

function defaultMaxSessions({ cores, memoryBytes }: Machine): number {
  const byMemory = Math.floor(memoryBytes / (MB_PER_SESSION * 1e6));
  return Math.min(Math.max(1, Math.min(byMemory, cores * SESSIONS_PER_CORE)), MOST_SESSIONS);
}

/**
 * Returns the default number of warm browsers. A warm browser takes 130 MB of memory. All warm browsers
 * together take another 300 MB for Chromium's files. The start of a warm browser takes one core for a second.
 */
function defaultWarmBrowsers({ cores, memoryBytes }: Machine, environment: NodeJS.ProcessEnv): number {
  // The kernel reserves some memory, so machines that are sold with 4 GB or 8 GB report less.
  const sold = (gigabytes: number) => memoryBytes >= gigabytes * 0.875e9;
  if (cores < 2 || !sold(LITTLE_MEMORY)) return 0;
  // Without this variable, the service generates a key for the demo. The demo has two kinds of sessions.
  const forDemo = !environment['API_KEYS']?.trim();
  return forDemo && sold(MUCH_MEMORY) ? 2 : 1;
}
