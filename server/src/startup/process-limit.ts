import { processLimits } from '../platform/process/proc.js';
import { StartError } from './start-error.js';

/**
 * Lowest limit of processes and threads with which one session starts. The egress process has 140 threads,
 * and an idle session 120. With a lower limit a part of the service aborts, and its error names another
 * reason.
 */
const LOWEST = 300;

/**
 * Throws {@link StartError} if the user of this service may have too few processes and threads. The kernel
 * does not limit root.
 */
export function requireProcesses({ soft } = processLimits(), uid = process.getuid?.()): void {
  if (uid !== 0 && soft !== undefined && soft < LOWEST)
    throw new StartError(
      `The user of the service may have only ${soft} processes and threads. Set the limit to at least ${LOWEST}, and 150 more for each further session (ulimit -u, or LimitNPROC of systemd).`,
    );
}
