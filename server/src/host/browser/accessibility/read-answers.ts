import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../cdp/cdp-session.js';
import { readNode, weightOf, type ReadNode } from './read-node.js';
import { MAX_ANSWER_CHARS, MAX_ANSWER_NODES } from './tree-limits.js';

/** The page's answer is waited for this long. Milliseconds. */
export const READ_TIMEOUT_MS = 2_000;

/** A page says so much at once that reading it would keep the session's users waiting. */
export class HeavyPageError extends Error {
  override name = 'HeavyPageError';
}

/** What an answer says of nodes; without what it says too much. Throws {@link HeavyPageError} when that is far too much. */
export function answersOf(
  nodes: readonly Protocol.Accessibility.AXNode[],
  most = MAX_ANSWER_NODES,
): ReadNode[] {
  const answers: ReadNode[] = [];
  let weight = 0;
  for (const node of nodes.slice(0, most)) {
    weight += weightOf(node);
    if (weight > MAX_ANSWER_CHARS) throw new HeavyPageError('The page says too much at once.');
    const read = readNode(node);
    if (read) answers.push(read);
  }
  return answers;
}

/** A node that is gone by now is told of by what was around it; one that says far too much is left out. */
export function ifGone(error: unknown): undefined {
  if (error instanceof CdpError && ['refused', 'too-large'].includes(error.reason)) return undefined;
  throw error;
}

/** What was asked for is to be asked for in smaller parts. */
export function ifTooLarge(error: unknown): undefined {
  if (error instanceof CdpError && error.reason === 'too-large') return undefined;
  throw error;
}
