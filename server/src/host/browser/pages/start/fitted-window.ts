import type { HostSession } from '../../../../host-protocol.js';
import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Width with which Chromium opens a window on a narrower screen, in CSS pixels. The host makes the window
 * narrower after that, see `WindowFit`.
 */
const LEAST_WIDTH = 500;
/** Timeout for this change. A page that is loaded too early still works, but is laid out twice. */
const FIT_TIMEOUT_MS = 2_000;

/**
 * True if the window of a session is first wider than its screen. Pages for phones have an emulated width
 * instead.
 */
export function opensTooWide({ userAgent, width }: Pick<HostSession, 'userAgent' | 'width'>): boolean {
  return userAgent === 'desktop' && width < LEAST_WIDTH;
}

/** Resolves when an empty page has at most the width of the screen, in CSS pixels. */
export async function fitted(page: CdpSession, width: number): Promise<void> {
  const fits = `innerWidth <= ${width}`;
  const expression = `${fits} || new Promise((done) => addEventListener('resize', () => ${fits} && done()))`;
  await page
    .send('Runtime.evaluate', { expression, awaitPromise: true }, FIT_TIMEOUT_MS)
    .catch(() => undefined);
}
