import type { SessionLimits } from '../platform/session-limits.js';
import type { Settings } from './settings.js';
import { CACHES_MB, FILES_OF_SESSION, UNSAVED_MB, type LIMIT_VARIABLES } from './variables/limits.js';

/** Bytes of one megabyte, the unit of the variables. */
export const MB = 2 ** 20;

/**
 * Returns the limits of each session. The default of the disk limit leaves room for a profile of the maximum
 * size and for other data.
 */
export function sessionLimits(
  settings: Settings<typeof LIMIT_VARIABLES>,
  maxProfileMb: number,
): SessionLimits {
  const filesMb = settings.sessionFilesMb ?? defaultFilesMb(settings);
  const diskMb = settings.sessionDiskMb ?? maxProfileMb + Math.max(UNSAVED_MB, filesMb + CACHES_MB);
  return {
    memoryBytes: settings.sessionMemoryMb * MB,
    processes: settings.sessionProcesses,
    cpuWeight: settings.sessionCpuWeight,
    diskBytes: diskMb * MB,
    fileBytes: settings.maxFileMb * MB,
    filesBytes: filesMb * MB,
    tabs: settings.sessionTabs,
    viewers: settings.sessionViewers,
    standbySeconds: settings.standbySeconds,
  };
}

/**
 * Returns the problem of a limit for users' files that is not below the limit of the disk. With such limits,
 * a session always ends before its user reaches the limit for files. Refuses only these pairs. If the limit
 * for files is just below the limit of the disk, other data of the session can still end it first.
 */
export function limitProblems({ sessionFilesMb, sessionDiskMb }: Settings<typeof LIMIT_VARIABLES>): string[] {
  if (sessionFilesMb === undefined || sessionDiskMb === undefined || sessionFilesMb < sessionDiskMb)
    return [];
  return [
    `SESSION_FILES_MB=${sessionFilesMb} must be below SESSION_DISK_MB=${sessionDiskMb}. Otherwise, users' files end their session.`,
  ];
}

/**
 * Returns the default limit of users' files in MB: at most half of the disk limit, because a session also
 * stores other data.
 */
function defaultFilesMb({ maxFileMb, sessionDiskMb = Infinity }: Settings<typeof LIMIT_VARIABLES>): number {
  return Math.max(1, Math.min(maxFileMb * FILES_OF_SESSION, Math.floor(sessionDiskMb / 2)));
}
