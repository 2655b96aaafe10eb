import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';

/** Options of {@link exitWhenClosed}. */
export interface ExitOptions {
  /** Milliseconds after which the process exits even if the service is not closed. */
  limit: number;
  /** Exit code after the service was closed. */
  closed: number;
  /** Exit code if the service could not be closed, or not in time. */
  failed: number;
  exit: (code: number) => void;
  clock: Pick<Clock, 'setTimeout'>;
  log: Log;
}

/**
 * Exits when the service is closed, or after a limit. After an early exit, the next start saves the remaining
 * data.
 */
export function exitWhenClosed(
  closing: Promise<void>,
  { limit, closed, failed, exit, clock, log }: ExitOptions,
): void {
  clock.setTimeout(() => {
    log.error('stopping took too long');
    exit(failed);
  }, limit);
  closing.then(
    () => exit(closed),
    (error: unknown) => {
      log.error('stopping failed', { error });
      exit(failed);
    },
  );
}
