import type { FastifyRequest } from 'fastify';
import type { CallingAgent, TokenScope } from '../host-protocol.js';
import { ServiceError } from '../service-error.js';
import type { Session } from '../sessions/session.js';
import { grantOf } from './session-scope.js';

/** Scopes of tokens with which programs use a session. */
export const PROGRAM_SCOPES: ReadonlySet<TokenScope> = new Set(['automation', 'admin']);

/**
 * Time for which a connection may be silent while a call waits: longer than the longest wait for a person who
 * has control. Milliseconds.
 */
const CALL_SILENCE_MS = 700_000;

/** Throws {@link ServiceError} if programs may not use the session. */
export function withAutomation(session: Session): Session {
  if (!session.hasAutomation) throw new ServiceError('err_no_automation');
  return session;
}

/** Returns the agent on whose behalf a request calls. */
export function programOf(request: FastifyRequest): CallingAgent {
  const grant = grantOf(request);
  if (!grant) return {};
  const { tokenId, userId, name, roles } = grant;
  return {
    ...(tokenId !== undefined && { tokenId }),
    ...(userId !== undefined && { userId }),
    ...(name !== undefined && { name }),
    ...(roles !== undefined && { roles }),
  };
}

/** Lets the connection of a request be silent for longer than usual during a call. */
export async function patiently<T>({ raw: { socket } }: FastifyRequest, call: () => Promise<T>): Promise<T> {
  const usual = socket.timeout ?? 0;
  socket.setTimeout(CALL_SILENCE_MS);
  try {
    return await call();
  } finally {
    socket.setTimeout(usual);
  }
}
