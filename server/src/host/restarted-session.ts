import type { Notice } from 'cloud-browser/protocol';
import type { HostSession } from '../host-protocol.js';
import type { Restart } from './restart-policy.js';
import { NOTICES } from './room/notices.js';

/** Cause of a restart. `closed`: a user or a page has closed the browser. `hung`: a part did not answer. */
export type RestartCause = 'closed' | 'hung' | 'crashed';

const NOTICE_OF_CAUSE: Record<RestartCause, Notice> = {
  closed: NOTICES.browserClosed,
  hung: NOTICES.browserHung,
  crashed: NOTICES.browserCrashed,
};

/** Returns the session with the pages that a restarted browser opens. */
export function restartedSession(session: HostSession, how: Exclude<Restart, 'never'>): HostSession {
  switch (how) {
    case 'as-at-first':
      return session;
    case 'with-tabs':
      return { ...session, restoreTabs: true };
    case 'with-start-page':
      return { ...session, restoreTabs: false };
    case 'with-blank-page':
      return { ...session, restoreTabs: false, startUrl: 'about:blank' };
  }
}

/** Returns the notice for viewers about a restart. */
export function restartNotice(how: Restart, cause: RestartCause): Notice {
  return how === 'with-blank-page' ? NOTICES.browserHungAgain : NOTICE_OF_CAUSE[cause];
}
