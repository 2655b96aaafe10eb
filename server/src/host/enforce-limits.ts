import type { FromHost, HostPlace, ToHost } from '../host-protocol.js';
import { systemClock } from '../platform/time/clock.js';
import { BrowserScore } from './limits/kernel-walls.js';
import { BY_PRIORITY, byService, ProcessorShare } from './limits/processor-share.js';
import { ResourceWatch } from './limits/resource-watch.js';
import type { ProcessUse } from './limits/session-processes.js';

/** The service's order to start a session. */
export type StartOrder = Pick<Extract<ToHost, { type: 'start' }>, 'session' | 'limits' | 'sharesProcessor'>;

/** The session's reactions to its limits. */
export interface LimitListener {
  tell(message: FromHost): void;
  warn(message: string, fields: Record<string, unknown>): void;
  /** Called when the process of a page was killed, before the browser reports its end. */
  onPageEnded(): void;
  /** Ends the session with a message for users. */
  end(sentence: string): void;
  /** Called with all processes of the session after each measurement. `now` is in milliseconds. */
  onLook(uses: readonly ProcessUse[], now: number): void;
}

/** Messages for viewers and the API, by the exceeded resource. */
const EXCEEDED = {
  memory: 'The session used more memory than allowed.',
  processes: 'The session used more processes and threads than allowed.',
  disk: 'The session used more disk space than allowed.',
} as const;

/**
 * Starts to enforce the limits of a session. Returns the watch, which the caller stops at the session's end.
 */
export function enforceLimits(
  { limits, sharesProcessor }: StartOrder,
  { directory }: HostPlace,
  listener: LimitListener,
): ResourceWatch {
  const giver = sharesProcessor ? byService((busy) => listener.tell({ type: 'busy', busy })) : BY_PRIORITY;
  const share = new ProcessorShare(giver);
  const score = new BrowserScore();
  return ResourceWatch.start({
    limits,
    directory,
    clock: systemClock,
    listener: {
      onLook: (uses) => {
        const now = systemClock.now();
        score.look(uses);
        share.look(uses, now);
        listener.onLook(uses, now);
      },
      onPageEnded: (resource) => {
        listener.warn('ending a page: the session is over its limit', { resource });
        listener.onPageEnded();
      },
      onExceeded: (resource) => {
        listener.warn('ending the session: it is over its limit', { resource });
        listener.end(EXCEEDED[resource]);
      },
    },
  });
}
