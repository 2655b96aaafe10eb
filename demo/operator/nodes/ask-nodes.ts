import { ApiError } from '../../api.js';
import type { NodesAnswer } from './nodes-answer.js';

/**
 * Timeout for the service. Nodes have a second to answer each other. A service that takes longer than this
 * does not work.
 */
const DEADLINE_MS = 10_000;

/**
 * Returns all nodes and the samples of their last seconds. Rejects with {@link ApiError}. Its status is 401
 * for a wrong key, and 0 without an answer.
 */
export async function askNodes(key: string, seconds: number): Promise<NodesAnswer> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`/v0/nodes?seconds=${seconds}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    body = await response.json();
  } catch {
    throw new ApiError('unreachable', 'The service does not answer.', 0);
  }
  if (response.ok) return body as NodesAnswer;
  const { code = 'unknown', message = `The service failed (status ${response.status}).` } = body as {
    code?: string;
    message?: string;
  };
  throw new ApiError(code, message, response.status);
}
