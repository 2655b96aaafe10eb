import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from './cdp-connection.js';
import type { CdpSession } from './cdp-session.js';

type TargetInfo = Protocol.Target.TargetInfo;

/** What is done to a target before it runs. */
export interface Preparation {
  /** Resolves when the target may run: it has what was sent, or did not take it in time. */
  apply(session: CdpSession, type: string): Promise<void>;
  /** Whether workers are prepared too, and not only pages and frames. */
  readonly workers: boolean;
}

/** How a target comes that can be prepared only when it is more than a name. */
export interface Arrival {
  /** Resolves when the target can be prepared, or is gone. Nothing but what it stands for may wait for long. */
  readonly ready: Promise<void>;
  /** The target is prepared. */
  go(): void;
}

/** A page, frame or worker that the browser opened. */
export interface AttachedTarget {
  session: CdpSession;
  info: TargetInfo;
  /** Resolves when the target runs, prepared. */
  ready: Promise<void>;
}

const PAGES = [{ type: 'page' }];
const FRAMES = [{ type: 'iframe' }];
/** Each kind has a user agent of its own. The browser attaches us to these, a page to its own frames and workers. */
const WITH_WORKERS = ['page', 'iframe', 'worker', 'shared_worker', 'service_worker'].map((type) => ({
  type,
}));
const WITH_WORKERS_OF_PAGE = [...FRAMES, { type: 'worker' }];

/**
 * Attaches to every page and frame that the browser opens, and to workers where these are prepared. Chromium holds some
 * targets until they are resumed, even unasked: a popup that has an opener, which freezes with it. So every target is resumed,
 * whatever fails or never answers before.
 *
 * Resolves when the pages that are open were told of.
 *
 * @param arrivalOf asked for each target, before it is prepared; undefined: it can be prepared at once
 */
export async function followTargets(
  cdp: CdpConnection,
  preparations: readonly Preparation[],
  onTarget: (target: AttachedTarget) => void,
  arrivalOf: (session: CdpSession, info: TargetInfo) => Arrival | undefined = () => undefined,
): Promise<void> {
  const hold = preparations.length > 0;
  const workers = preparations.some((preparation) => preparation.workers);
  const follow = (parent: CdpSession) =>
    parent.on('Target.attachedToTarget', ({ sessionId, targetInfo: info }) => {
      const session = cdp.session(sessionId);
      follow(session);
      onTarget({ session, info, ready: prepare(session, info) });
    });
  const prepare = async (session: CdpSession, info: TargetInfo) => {
    const { type } = info;
    const arrival = arrivalOf(session, info);
    if (arrival) {
      session.post('Runtime.runIfWaitingForDebugger', {});
      await arrival.ready;
    }
    const prepared = preparations.map((preparation) => preparation.apply(session, type));
    const hasTargets = type === 'page' || type === 'iframe';
    const targets = workers ? WITH_WORKERS_OF_PAGE : FRAMES;
    const attached = hasTargets ? attach(session, hold, targets) : undefined;
    const steps = Promise.allSettled([...prepared, attached]);
    if (hold) await steps;
    if (arrival) arrival.go();
    else session.post('Runtime.runIfWaitingForDebugger', {});
  };
  follow(cdp.browser);
  await attach(cdp.browser, hold, workers ? WITH_WORKERS : PAGES);
}

/** @param hold whether targets wait until they are resumed */
function attach(parent: CdpSession, hold: boolean, types: { type: string }[]): Promise<void> {
  const filter = [...types, { exclude: true }];
  const params = { autoAttach: true, waitForDebuggerOnStart: hold, flatten: true, filter };
  return parent.send('Target.setAutoAttach', params);
}
