import type { CdpSession } from '../cdp/cdp-session.js';
import { answersOf, ifGone, READ_TIMEOUT_MS } from './read-answers.js';
import type { ReadNode } from './read-node.js';
import { MAX_ANSWER_NODES } from './tree-limits.js';

/** A page that is not drawn, as a frame out of view, never answers what is answered with a frame of its picture. Milliseconds. */
const DRAWN_TIMEOUT_MS = 1_000;

/** Asks where the tree of a page or a frame begins. Rejects with `CdpError`, as all of these do. */
export async function askRoot(
  session: CdpSession,
  frameId: string | undefined,
): Promise<{ read: ReadNode | undefined; frame: string | undefined }> {
  const params = frameId === undefined ? {} : { frameId };
  const { node } = await session.send('Accessibility.getRootAXNode', params, READ_TIMEOUT_MS);
  return { read: answersOf([node])[0], frame: node.frameId ?? frameId };
}

/** Asks for what is inside of a node, through what is ignored there; the browser tells of its changes from then on. */
export async function askFamily(
  session: CdpSession,
  key: number,
  frame: string | undefined,
): Promise<{ reads: ReadNode[]; isAll: boolean }> {
  const family = { id: String(key), ...(frame !== undefined && { frameId: frame }) };
  const { nodes } = await session.send('Accessibility.getChildAXNodes', family, READ_TIMEOUT_MS);
  return { reads: answersOf(nodes), isAll: nodes.length <= MAX_ANSWER_NODES };
}

/** Asks for one node; undefined when it is gone by now: what was around it tells of that. */
export async function askAlone(session: CdpSession, backendNodeId: number): Promise<ReadNode | undefined> {
  const params = { backendNodeId, fetchRelatives: false };
  const answer = await session.send('Accessibility.getPartialAXTree', params, READ_TIMEOUT_MS).catch(ifGone);
  return answersOf(answer?.nodes ?? [])[0];
}

/**
 * Asks for a node with all inside of it, the outermost first: of all questions the one that costs the page least. Only for what is drawn,
 * and has few nodes.
 */
export async function askWhole(session: CdpSession, backendNodeId: number): Promise<ReadNode[]> {
  const answer = await session
    .send('Accessibility.queryAXTree', { backendNodeId }, DRAWN_TIMEOUT_MS)
    .catch(ifGone);
  return answersOf(answer?.nodes ?? []);
}
