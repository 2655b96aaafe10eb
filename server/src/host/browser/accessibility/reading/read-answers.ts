import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/cdp-session.js';
import { readNode, weightOf, type ReadNode } from './read-node.js';
import { MAX_ANSWER_CHARS, MAX_ANSWER_NODES } from '../tree-limits.js';

/** Timeout for a page's answer. Milliseconds. */
export const READ_TIMEOUT_MS = 2_000;

/**
 * Thrown when a page sends so much text at once that reading the text would delay all users of the session.
 */
export class HeavyPageError extends Error {
  override name = 'HeavyPageError';
}

/**
 * Reads the nodes of an answer, but not more than `most`. Throws {@link HeavyPageError} if these nodes
 * contain too much text.
 */
export function answersOf(
  nodes: readonly Protocol.Accessibility.AXNode[],
  most = MAX_ANSWER_NODES,
): ReadNode[] {
  const answers: ReadNode[] = [];
  let weight = 0;
  for (const node of nodes.slice(0, most)) {
    weight += weightOf(node);
    if (weight > MAX_ANSWER_CHARS) throw new HeavyPageError('The page sent too much text at once.');
    const read = readNode(node);
    if (read) answers.push(read);
  }
  return answers;
}

/**
 * Ignores the error if the requested node is gone, or if the answer is too large. Throws other errors. A node
 * that is gone needs no handling here, because the browser also reports a change of its parent.
 */
export function ifGone(error: unknown): undefined {
  if (error instanceof CdpError && ['refused', 'too-large'].includes(error.reason)) return undefined;
  throw error;
}

/**
 * Ignores the error if the answer is too large. The caller then requests smaller parts. Throws other errors.
 */
export function ifTooLarge(error: unknown): undefined {
  if (error instanceof CdpError && error.reason === 'too-large') return undefined;
  throw error;
}
