import { openFileLimits, processLimit } from '../platform/process/proc.js';
import { StartError } from './start-error.js';

/**
 * Lowest hard limit of open files with which a session starts. With a lower limit the browser fails while it
 * starts, and its error names another reason.
 */
const LOWEST_FILES = 256;

/** Throws {@link StartError} if processes of this service may open too few files. */
export function requireOpenFiles({ hard } = openFileLimits()): void {
  if (hard !== undefined && hard < LOWEST_FILES)
    throw new StartError(
      `A process may have only ${hard} files open. Set the hard limit to 65536 (ulimit -Hn, or LimitNOFILE of systemd).`,
    );
}

/**
 * Lowest limit of processes and threads with which a session starts. The service has some dozens, and a
 * session with its browser has about 120.
 */
const LOWEST_PROCESSES = 256;

/**
 * Throws {@link StartError} if the user of this service may have too few processes. The system does not apply
 * the limit to root.
 */
export function requireProcesses(limit = processLimit(), uid = process.getuid?.()): void {
  if (uid !== 0 && limit !== undefined && limit < LOWEST_PROCESSES)
    throw new StartError(
      `This user may have only ${limit} processes and threads. Set the limit to 65536 (ulimit -u, or LimitNPROC of systemd).`,
    );
}
