import { openFileLimits } from '../platform/process/proc.js';
import { StartError } from './start-error.js';

/**
 * Lowest hard limit of open files with which a session starts. With a lower limit the browser fails while it
 * starts, and its error names another reason.
 */
const LOWEST = 256;

/** Throws {@link StartError} if processes of this service may open too few files. */
export function requireOpenFiles({ hard } = openFileLimits()): void {
  if (hard !== undefined && hard < LOWEST)
    throw new StartError(
      `A process may have only ${hard} files open. Set the hard limit to 65536 (ulimit -Hn, or LimitNOFILE of systemd).`,
    );
}
