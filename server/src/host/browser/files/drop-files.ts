import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { Pages } from '../pages/pages.js';

/** Drag operation "copy". The other operations make no sense for content of another machine. */
const COPY = 1;
/** Timeout for a step. The input of all users waits meanwhile. Milliseconds. */
const STEP_TIMEOUT_MS = 1_000;

/** Content that is dropped. */
export interface DroppedData {
  /** Texts by their MIME type. */
  items: { mimeType: string; data: string }[];
  /** Paths inside the sandbox. */
  files: string[];
}

/**
 * Drops files or texts at a position on the screen, as a user does by dragging. The page decides whether it
 * accepts them.
 *
 * @param at pixels of the screen
 * @returns the page on which the content was dropped; undefined if no page is open, if the page does not
 *   answer, or if the position is to the left of the page or above it
 */
export async function dropContent(
  pages: Pick<Pages, 'front' | 'geometry'>,
  at: { x: number; y: number },
  content: DroppedData,
): Promise<CdpSession | undefined> {
  try {
    const page = await pages.front();
    if (!page) return undefined;
    const { left, top, scale } = await pages.geometry(page);
    const [x, y] = [(at.x - left) / scale, (at.y - top) / scale];
    if (x < 0 || y < 0) return undefined;
    const data = { ...content, dragOperationsMask: COPY };
    try {
      for (const type of ['dragEnter', 'dragOver'] as const)
        await page.send('Input.dispatchDragEvent', { type, x, y, data }, STEP_TIMEOUT_MS);
    } catch (error) {
      // Otherwise the page would keep showing that it waits for the drop.
      page.post('Input.dispatchDragEvent', { type: 'dragCancel', x, y, data });
      throw error;
    }
    // The page may open a dialog before it answers this event. Then it has already received the content.
    const dropped = page.send('Input.dispatchDragEvent', { type: 'drop', x, y, data }, STEP_TIMEOUT_MS);
    await dropped.catch(() => undefined);
    return page;
  } catch (error) {
    if (error instanceof CdpError) return undefined;
    throw error;
  }
}
