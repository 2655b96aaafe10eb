import { isRecord } from '../../../../platform/is-record.js';
import { eventText } from '../commands/messages.js';

const RESTORED = '"BackForwardCacheRestore"';

/**
 * Script that keeps documents out of the browser's back/forward cache while a program is attached to their
 * page. Documents that entered the cache before are not affected. Chromium does not report the frames of a
 * page that it restores from this cache. It does not put documents with a listener for `unload` into the
 * cache. The page cannot see a listener of an isolated world.
 */
export const UNCACHED_DOCUMENTS = {
  source: 'addEventListener("unload", () => {})',
  worldName: 'session-automation',
  runImmediately: true,
};

/**
 * Returns the events that a program misses when Chromium restores a page from the back/forward cache. The
 * page was loaded earlier, so Chromium reports no load, and Playwright's `page.goBack()` would wait until its
 * timeout. The result is empty for any other navigation.
 *
 * @param text a `Page.frameNavigated` event
 */
export function missedLoad(text: string, sessionId: string): string[] {
  if (!text.includes(RESTORED)) return [];
  const message: unknown = JSON.parse(text);
  const params = isRecord(message) ? message['params'] : undefined;
  if (!isRecord(params) || params['type'] !== 'BackForwardCacheRestore' || !isRecord(params['frame']))
    return [];
  const { id: frameId, loaderId } = params['frame'];
  const timestamp = performance.now() / 1_000;
  return ['DOMContentLoaded', 'load'].map((name) =>
    eventText('Page.lifecycleEvent', { frameId, loaderId, name, timestamp }, sessionId),
  );
}
