import type { CdpSession } from '../../cdp/cdp-session.js';
import { answersOf, ifGone, READ_TIMEOUT_MS } from '../reading/read-answers.js';
import type { ReadNode } from '../reading/read-node.js';
import { MAX_ANSWER_NODES } from '../tree-limits.js';

/**
 * Timeout for requests that the browser answers only when it renders the document. A document that is not
 * rendered, such as an iframe out of view, never answers them. Milliseconds.
 */
const DRAWN_TIMEOUT_MS = 1_000;

/** Requests the root node of a page or a frame. Rejects with `CdpError`, like all functions of this file. */
export async function askRoot(
  session: CdpSession,
  frameId: string | undefined,
): Promise<{ read: ReadNode | undefined; frame: string | undefined }> {
  const params = frameId === undefined ? {} : { frameId };
  const { node } = await session.send('Accessibility.getRootAXNode', params, READ_TIMEOUT_MS);
  return { read: answersOf([node])[0], frame: node.frameId ?? frameId };
}

/**
 * Requests the children of a node, including those inside ignored children. From then on the browser reports
 * their changes.
 */
export async function askFamily(
  session: CdpSession,
  key: number,
  frame: string | undefined,
): Promise<{ reads: ReadNode[]; isAll: boolean }> {
  const family = { id: String(key), ...(frame !== undefined && { frameId: frame }) };
  const { nodes } = await session.send('Accessibility.getChildAXNodes', family, READ_TIMEOUT_MS);
  return { reads: answersOf(nodes), isAll: nodes.length <= MAX_ANSWER_NODES };
}

/**
 * Requests one node. Returns undefined if the node is gone, or if the answer is too large. If the node is
 * gone, the browser also reports a change of the node's parent.
 */
export async function askAlone(session: CdpSession, backendNodeId: number): Promise<ReadNode | undefined> {
  const params = { backendNodeId, fetchRelatives: false };
  const answer = await session.send('Accessibility.getPartialAXTree', params, READ_TIMEOUT_MS).catch(ifGone);
  return answersOf(answer?.nodes ?? [])[0];
}

/**
 * Requests a node and all nodes inside it, outermost first. Of all requests in this file, this one takes the
 * least of the page's time. Use it only for rendered nodes that contain few nodes.
 */
export async function askWhole(session: CdpSession, backendNodeId: number): Promise<ReadNode[]> {
  const answer = await session
    .send('Accessibility.queryAXTree', { backendNodeId }, DRAWN_TIMEOUT_MS)
    .catch(ifGone);
  return answersOf(answer?.nodes ?? []);
}
