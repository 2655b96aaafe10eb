import type { Notice } from 'cloud-browser/protocol';
import type { FromHost, HostPlace, ToHost } from '../host-protocol.js';
import { systemClock } from '../platform/clock.js';
import { BrowserScore } from './limits/kernel-walls.js';
import { BY_PRIORITY, byService, ProcessorShare } from './limits/processor-share.js';
import { ResourceWatch } from './limits/resource-watch.js';
import { NOTICES } from './room/notices.js';

/** What the service asks a host for. */
export type StartOrder = Pick<Extract<ToHost, { type: 'start' }>, 'session' | 'limits' | 'sharesProcessor'>;

/** What a session does about its limits. */
export interface LimitListener {
  tell(message: FromHost): void;
  warn(message: string, fields: Record<string, unknown>): void;
  /** Tells viewers. */
  notify(notice: Notice): void;
  /** Ends the session, with a sentence for people. */
  end(sentence: string): void;
}

/** What viewers and the API are told of the end, by what there was too much of. */
const EXCEEDED = {
  memory: 'The session used more memory than it may.',
  processes: 'The session used more processes and threads than it may.',
  disk: 'The session kept more on the disk than it may.',
} as const;

/** Watches what a session uses, from its start to its end. */
export function holdToLimits(
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
        score.look(uses);
        share.look(uses, systemClock.now());
      },
      onPageEnded: (resource) => {
        listener.warn('a page is ended: the session is at its limit', { resource });
        listener.notify(NOTICES.pageEnded);
      },
      onExceeded: (resource) => {
        listener.warn('the session is ended: it is beyond its limit', { resource });
        listener.end(EXCEEDED[resource]);
      },
    },
  });
}
