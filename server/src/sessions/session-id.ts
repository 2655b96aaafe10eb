import { randomUUID } from 'node:crypto';

/** How many hexadecimal digits of a session id name its node. */
export const NODE_CODE_LENGTH = 6;

/** A new session id: a random UUID, which begins with the code of its node where there are several. */
export function newSessionId(nodeCode = ''): string {
  return nodeCode + randomUUID().slice(nodeCode.length);
}

/** The code of the node that made a session id. */
export function nodeCodeOf(sessionId: string): string {
  return sessionId.slice(0, NODE_CODE_LENGTH);
}
