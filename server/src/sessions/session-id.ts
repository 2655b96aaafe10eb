import { randomUUID } from 'node:crypto';

/**
 * Number of hexadecimal digits at the start of a session id. These digits are the code of the session's node.
 */
export const NODE_CODE_LENGTH = 6;

/**
 * Returns a new session id: a random UUID. If there are several nodes, the id begins with the code of its
 * node.
 */
export function newSessionId(nodeCode = ''): string {
  return nodeCode + randomUUID().slice(nodeCode.length);
}

/** Returns the code of the node that made a session id. */
export function nodeCodeOf(sessionId: string): string {
  return sessionId.slice(0, NODE_CODE_LENGTH);
}
