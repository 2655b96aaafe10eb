import { integer } from './value-types.js';
import { variable } from './variable.js';

/**
 * Minimum MB that the default of `SESSION_DISK_MB` adds for data outside the profile, such as caches and
 * downloads.
 */
export const UNSAVED_MB = 1_024;
/** Minimum MB in this default for data that is neither in the profile nor a user's file, such as caches. */
export const CACHES_MB = 512;
/** By default, this many files of the maximum size fit into a session. */
export const FILES_OF_SESSION = 5;

/** Variables that limit each session. */
export const LIMIT_VARIABLES = {
  SESSION_MEMORY_MB: variable(integer(256, 1_000_000), {
    default: 2_048,
    help: 'memory of all programs of one session together, in MB of 2^20 bytes',
    docs: 'If they use more, the host ends the page that uses most, see [below](#limits-of-one-session)',
  }),
  SESSION_PROCESSES: variable(integer(200, 100_000), {
    default: 1_500,
    help: 'processes and threads of one session',
  }),
  SESSION_CPU_WEIGHT: variable(integer(1, 10_000), {
    default: 100,
    help: 'weight of one session when sessions and other programs compete for the processor',
    docs: 'Other programs usually have 100. It needs a control group, see [below](#limits-of-one-session)',
  }),
  SESSION_DISK_MB: variable(integer(64, 1_000_000), {
    defaultText: `\`MAX_PROFILE_MB\` plus the larger of ${UNSAVED_MB} and \`SESSION_FILES_MB\` + ${CACHES_MB}`,
    help: 'disk space of one session, in MB of 2^20 bytes',
    docs: 'If you set `SESSION_FILES_MB` too, this must be above it',
  }),
  MAX_FILE_MB: variable(integer(1, 1_000_000), {
    default: 100,
    help: 'largest file that a user can upload or download, in MB of 2^20 bytes',
  }),
  SESSION_FILES_MB: variable(integer(1, 1_000_000), {
    defaultText: `${FILES_OF_SESSION} times \`MAX_FILE_MB\`. If you set \`SESSION_DISK_MB\`, at most half of it`,
    help: 'total size of all uploaded and downloaded files in one session, in MB of 2^20 bytes',
    docs: 'If you set `SESSION_DISK_MB` too, this must be below it',
  }),
  SESSION_TABS: variable(integer(1, 1_000), {
    default: 50,
    help: 'pages that one session can have open at once',
  }),
  SESSION_VIEWERS: variable(integer(1, 1_000), {
    default: 64,
    help: 'viewers that one session can have at once',
  }),
  STANDBY_SECONDS: variable(integer(1, 86_400), {
    default: 60,
    help: 'seconds without use after which a session with `standby` is frozen',
    docs: 'See [standby](#standby)',
  }),
};
