import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from './cdp-connection.js';
import type { CdpSession } from './cdp-session.js';

type TargetInfo = Protocol.Target.TargetInfo;

/** A step that prepares a target before the target runs. */
export interface Preparation {
  /** Resolves when the target may run, because it accepted the commands or did not answer in time. */
  apply(session: CdpSession, type: string): Promise<void>;
  /** True if workers are prepared too, in addition to pages and frames. */
  readonly workers: boolean;
}

/** A target that cannot be prepared at once, because it has no process yet. */
export interface Arrival {
  /**
   * Resolves when the target can be prepared, or is gone. This may take long, so only steps that need the
   * content of this target may wait for it.
   */
  readonly ready: Promise<void>;
  /** Continues the target. Called once, when the target is prepared. */
  go(): void;
}

/** A page, frame or worker that the browser opened. */
export interface AttachedTarget {
  session: CdpSession;
  /** Session of the target that contains this target: the browser for a page, the page for a frame. */
  parent: CdpSession;
  info: TargetInfo;
  /** Resolves when the target is prepared and runs. */
  ready: Promise<void>;
}

const PAGES = [{ type: 'page' }];
const FRAMES = [{ type: 'iframe' }];
/**
 * Types of targets to which the host attaches through the browser's own CDP session, if workers are prepared
 * too. Each of these targets needs its own setting of the user agent. The host attaches to the frames and
 * workers inside a page through the session of that page, see {@link WITH_WORKERS_OF_PAGE}.
 */
const WITH_WORKERS = ['page', 'iframe', 'worker', 'shared_worker', 'service_worker'].map((type) => ({
  type,
}));
const WITH_WORKERS_OF_PAGE = [...FRAMES, { type: 'worker' }];

/**
 * Attaches to every page and frame that the browser opens, and to workers if a preparation needs them.
 * Chromium pauses some targets until the host resumes them, even if the host did not request the pause. For
 * example, it pauses a popup and thereby freezes the page that opened it. So every target is resumed, even if
 * a preparation fails or gets no answer.
 *
 * Resolves when the pages that are already open were reported.
 *
 * @param arrivalOf called for each target before it is prepared. Returns undefined if the host can prepare
 *   the target at once
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
      // A customer's program opened this second CDP session with the browser. The host does not prepare it.
      if (info.type === 'browser') return;
      const session = cdp.session(sessionId);
      follow(session);
      onTarget({ session, parent, info, ready: prepare(session, info) });
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

/**
 * Attaches to the targets of these types that a parent opens.
 *
 * @param hold true if targets wait until they are resumed
 */
function attach(parent: CdpSession, hold: boolean, types: { type: string }[]): Promise<void> {
  const filter = [...types, { exclude: true }];
  const params = { autoAttach: true, waitForDebuggerOnStart: hold, flatten: true, filter };
  return parent.send('Target.setAutoAttach', params);
}
