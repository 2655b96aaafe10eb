import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { Pages } from '../pages/pages.js';

/** To copy is all that dragged files can be for. */
const COPY = 1;
/** A page that does not answer is not waited for: all users' input waits meanwhile. Milliseconds. */
const STEP_TIMEOUT_MS = 1_000;

/**
 * Drops files at a place of the screen, as somebody does who drags them there. The page decides whether it takes them, as ever.
 *
 * @param at pixels of the screen
 * @param files paths as the browser sees them
 * @returns the page; undefined when none is there, or it does not answer
 */
export async function dropFiles(
  pages: Pick<Pages, 'front' | 'geometry'>,
  at: { x: number; y: number },
  files: readonly string[],
): Promise<CdpSession | undefined> {
  try {
    const page = await pages.front();
    if (!page) return undefined;
    const { left, top, scale } = await pages.geometry(page);
    const [x, y] = [(at.x - left) / scale, (at.y - top) / scale];
    if (x < 0 || y < 0) return undefined;
    const data = { items: [], files: [...files], dragOperationsMask: COPY };
    for (const type of ['dragEnter', 'dragOver'] as const)
      await page.send('Input.dispatchDragEvent', { type, x, y, data }, STEP_TIMEOUT_MS);
    // The page may open a dialog before it answers this one: it has the files then.
    const dropped = page.send('Input.dispatchDragEvent', { type: 'drop', x, y, data }, STEP_TIMEOUT_MS);
    await dropped.catch(() => undefined);
    return page;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}
