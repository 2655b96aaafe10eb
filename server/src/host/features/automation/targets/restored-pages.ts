import { isRecord } from '../../../../platform/is-record.js';
import { eventText, paramsOf } from '../commands/messages.js';

const RESTORED = '"BackForwardCacheRestore"';

/**
 * Script that keeps the documents of a page out of the browser's back/forward cache. Chromium does not report
 * the frames of a page that it restores from this cache, so a program would miss them. Chromium does not
 * cache a document with a listener for `unload`. The script adds this listener in an isolated world, where
 * the page cannot see it. The script runs while a program is attached to the page. Documents that entered the
 * cache before that are not affected.
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
  const { type, frame } = paramsOf(JSON.parse(text));
  if (type !== 'BackForwardCacheRestore' || !isRecord(frame)) return [];
  const { id: frameId, loaderId } = frame;
  const timestamp = performance.now() / 1_000;
  return ['DOMContentLoaded', 'load'].map((name) =>
    eventText('Page.lifecycleEvent', { frameId, loaderId, name, timestamp }, sessionId),
  );
}
