import type { CdpSession } from '../cdp/cdp-session.js';
import { answersOf, ifGone, READ_TIMEOUT_MS } from './read-answers.js';

/** What stands at so many places of the view is looked for, from its top to its bottom and in so many columns. */
const [ROWS, COLUMNS] = [6, 3];

/** Orders the members of a large family: what people see comes first. */
export async function viewFirst(session: CdpSession, keys: readonly number[]): Promise<readonly number[]> {
  const seen = await keysInView(session).catch(() => new Set<number>());
  const first = keys.findIndex((key) => seen.has(key));
  if (first < 0) return keys;
  // What is between two that are seen is seen as well.
  let last = keys.length - 1;
  while (!seen.has(keys[last] ?? 0)) last--;
  return [...keys.slice(first, last + 1), ...keys.slice(last + 1), ...keys.slice(0, first)];
}

/** The elements at some places of the view, and those around them, as the browser numbers them. Rejects with `CdpError`. */
async function keysInView(session: CdpSession): Promise<Set<number>> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics', {}, READ_TIMEOUT_MS);
  const { clientWidth, clientHeight, pageX, pageY } = cssVisualViewport;
  const hits = new Set<number>();
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      // In the document, not in the view.
      const x = Math.floor(pageX + (clientWidth * (column + 0.5)) / COLUMNS);
      const y = Math.floor(pageY + (clientHeight * (row + 0.5)) / ROWS);
      const at = await session.send('DOM.getNodeForLocation', { x, y }, READ_TIMEOUT_MS).catch(ifGone);
      if (at) hits.add(at.backendNodeId);
    }
  const keys = new Set<number>();
  for (const backendNodeId of hits) {
    const known = await session
      .send('Accessibility.getAXNodeAndAncestors', { backendNodeId }, READ_TIMEOUT_MS)
      .catch(ifGone);
    for (const { key } of answersOf(known?.nodes ?? [])) keys.add(key);
  }
  return keys;
}
