import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from './cdp-connection.js';
import type { CdpSession } from './cdp-session.js';

type TargetInfo = Protocol.Target.TargetInfo;

/** What is done to a target before it runs. */
export interface Emulation {
  /** Resolves when the target has it, or did not take it in time. */
  apply(session: CdpSession, type: string): Promise<void>;
}

/** A page, frame or worker that the browser opened. */
export interface AttachedTarget {
  session: CdpSession;
  info: TargetInfo;
  /** Resolves when the target runs, with the emulation if there is one. */
  ready: Promise<void>;
}

const PAGES = [{ type: 'page' }];
/** Each kind has a user agent of its own. The browser attaches us to these, a page to its own frames and workers. */
const EMULATED = ['page', 'iframe', 'worker', 'shared_worker', 'service_worker'].map((type) => ({ type }));
const FRAMES = [{ type: 'iframe' }];
const EMULATED_OF_PAGE = [...FRAMES, { type: 'worker' }];

/**
 * Attaches to every page and frame that the browser opens, and with an emulation to all that runs scripts of pages. Chromium holds some
 * targets until they are resumed, even unasked: a popup that has an opener, which freezes with it. So every target is resumed,
 * whatever fails or never answers before.
 *
 * Resolves when the pages that are open were told of.
 */
export async function followTargets(
  cdp: CdpConnection,
  emulation: Emulation | undefined,
  onTarget: (target: AttachedTarget) => void,
): Promise<void> {
  const follow = (parent: CdpSession) =>
    parent.on('Target.attachedToTarget', ({ sessionId, targetInfo: info }) => {
      const session = cdp.session(sessionId);
      follow(session);
      onTarget({ session, info, ready: prepare(session, info.type) });
    });
  const prepare = async (session: CdpSession, type: string) => {
    const emulated = emulation?.apply(session, type);
    const hasTargets = type === 'page' || type === 'iframe';
    const targets = emulation ? EMULATED_OF_PAGE : FRAMES;
    const attached = hasTargets ? attach(session, emulation !== undefined, targets) : undefined;
    const steps = Promise.allSettled([emulated, attached]);
    if (emulation) await steps;
    session.post('Runtime.runIfWaitingForDebugger', {});
  };
  follow(cdp.browser);
  await attach(cdp.browser, emulation !== undefined, emulation ? EMULATED : PAGES);
}

/** @param hold whether targets wait until they are resumed */
function attach(parent: CdpSession, hold: boolean, types: { type: string }[]): Promise<void> {
  const filter = [...types, { exclude: true }];
  const params = { autoAttach: true, waitForDebuggerOnStart: hold, flatten: true, filter };
  return parent.send('Target.setAutoAttach', params);
}
