import { NotLoadedError } from '../core/late-part.js';
import { CloudBrowserErrorEvent } from './events.js';
import { TEXTS } from './lang/built-in.js';
import type { TimedNotice } from './status/timed-notice.js';

/** Element that dispatches errors and shows messages. */
interface ErrorHost extends EventTarget {
  readonly notices: TimedNotice;
}

/**
 * Dispatches an error as an event. If a part of the element could not be loaded, also tells the user, because
 * the element then ignores some input, and a reload of the page may be the only remedy.
 */
export function reportFailure(host: ErrorHost, error: Error): void {
  host.dispatchEvent(new CloudBrowserErrorEvent(error));
  if (error instanceof NotLoadedError) host.notices.show(TEXTS.notLoaded, 'notLoaded');
}
