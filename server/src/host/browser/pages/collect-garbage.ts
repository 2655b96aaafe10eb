import type { CdpSession } from '../cdp/cdp-session.js';

/** Timeout for a page's answer. A page that is busy keeps its memory. */
const ANSWER_TIMEOUT_MS = 3_000;

/**
 * Makes pages release memory that their scripts no longer use. Resolves when they have answered. Never
 * rejects.
 */
export async function collectGarbage(pages: readonly CdpSession[]): Promise<void> {
  // A page with an open dialog does not answer.
  const asked = pages.filter(({ inDialog }) => !inDialog);
  await Promise.allSettled(
    asked.map((page) => page.send('HeapProfiler.collectGarbage', {}, ANSWER_TIMEOUT_MS)),
  );
}
