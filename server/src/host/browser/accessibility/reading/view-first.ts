import type { CdpSession } from '../../cdp/cdp-session.js';
import { answersOf, ifGone, READ_TIMEOUT_MS } from './read-answers.js';

/** Rows and columns of the grid of points in the viewport. The search looks for elements at these points. */
const [ROWS, COLUMNS] = [6, 3];

/**
 * Sorts the children of a node, so that those in the viewport are first. The points of the search are not at
 * the edges of the viewport. So the children next to the found ones follow, as many as were found.
 */
export async function viewFirst(session: CdpSession, keys: readonly number[]): Promise<readonly number[]> {
  const seen = await keysInView(session).catch(() => new Set<number>());
  const first = keys.findIndex((key) => seen.has(key));
  if (first < 0) return keys;
  // Children between two visible children also count as visible.
  let last = keys.length - 1;
  while (!seen.has(keys[last] ?? 0)) last--;
  const next = last + 1;
  const found = next - first;
  const [start, end] = [Math.max(0, first - found), next + found];
  const near = [...keys.slice(first, end), ...keys.slice(start, first)];
  return [...near, ...keys.slice(end), ...keys.slice(0, start)];
}

/**
 * Returns the keys of the elements at some points of the viewport, and of the elements around them. Rejects
 * with `CdpError`.
 */
async function keysInView(session: CdpSession): Promise<Set<number>> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics', {}, READ_TIMEOUT_MS);
  const { clientWidth, clientHeight, pageX, pageY } = cssVisualViewport;
  const hits = new Set<number>();
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      // Coordinates in the document, not in the viewport.
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
