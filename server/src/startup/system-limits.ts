import { openFileLimits, processLimits } from '../platform/process/proc.js';
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
 * Lowest limit of processes and threads with which one session starts. The egress process has 140 threads,
 * and an idle session 120. With a lower limit a part of the service aborts, and its error names another
 * reason.
 */
const LOWEST_PROCESSES = 300;

/**
 * Throws {@link StartError} if the user of this service may have too few processes and threads. The kernel
 * does not limit root.
 */
export function requireProcesses({ soft } = processLimits(), uid = process.getuid?.()): void {
  if (uid !== 0 && soft !== undefined && soft < LOWEST_PROCESSES)
    throw new StartError(
      `The user of the service may have only ${soft} processes and threads. Set the limit to at least ${LOWEST_PROCESSES}, and 150 more for each further session (ulimit -u, or LimitNPROC of systemd).`,
    );
}
