import type { HandoffState } from 'cloud-browser/protocol';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import type { CallingAgent, TokenScope } from '../../host-protocol.js';
import type { AllowedOrigins } from '../../platform/network/origins.js';
import { ServiceError } from '../../service-error.js';
import type { Session } from '../../sessions/session.js';
import {
  adminSession,
  grantOf,
  orKey,
  requireScope,
  sessionIdOf,
  type SessionScopeParts,
} from './session-scope.js';

/** Scopes of tokens with which programs use a session. */
const PROGRAM_SCOPES: ReadonlySet<TokenScope> = new Set(['automation', 'admin']);

/** Parts that routes for programs need. */
export type ProgramScopeParts = SessionScopeParts & {
  apiKeys: ApiKeys;
  /** Origins of the pages that may show sessions. */
  origins: AllowedOrigins;
};

/**
 * Returns two functions for routes that programs call. `onRequest` is a hook that accepts only requests with
 * an `automation` token, an `admin` token or an API key. The hook also limits the rate of requests, and
 * refuses pages whose origin is not allowed. `sessionAt` finds the session of an address. It throws
 * {@link ServiceError} if the session has ended or has no automation.
 */
export function forPrograms(parts: ProgramScopeParts) {
  const credential = orKey(requireScope(parts, PROGRAM_SCOPES), parts, parts.apiKeys);
  const onRequest: onRequestAsyncHookHandler = async function (request, reply) {
    if (!parts.origins.allows(request.headers.origin)) throw new ServiceError('err_foreign_page');
    await credential.call(this, request, reply);
    const refusal = parts.requestRates.requests(sessionIdOf(request), grantOf(request));
    if (refusal) throw refusal;
  };
  return {
    onRequest,
    sessionAt: (address: string): Session => withAutomation(adminSession(parts.sessions, address)),
  };
}

/**
 * Timeout for a silent connection during a call, in milliseconds. A call may wait until a person gives up
 * control. The timeout is longer than the longest wait of a call.
 */
const CALL_SILENCE_MS = 700_000;

/**
 * Longest wait of one call `handoffs.get` in the host, in seconds. It is shorter than the service's timeout
 * for this call.
 */
const CALL_SECONDS = 8;

/** Returns the session. Throws {@link ServiceError} if it was created without `automation`. */
export function withAutomation(session: Session): Session {
  if (!session.hasAutomation) throw new ServiceError('err_no_automation');
  return session;
}

/**
 * Returns the agent that sent a request, as the token of the request describes it. Returns an empty object
 * for a request with an API key.
 */
export function programOf(request: FastifyRequest): CallingAgent {
  const grant = grantOf(request);
  if (!grant) return {};
  const { scope, tokenId, userId, name, roles } = grant;
  return {
    ...(scope === 'automation' && { automates: true as const }),
    ...(tokenId !== undefined && { tokenId }),
    ...(userId !== undefined && { userId }),
    ...(name !== undefined && { name }),
    ...(roles !== undefined && { roles }),
  };
}

/**
 * Performs a call. Until the call ends, the connection of the request has the longer timeout
 * {@link CALL_SILENCE_MS}.
 *
 * @param call performs the call; the signal is aborted when the client has closed its connection
 */
export async function patiently<T>(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  call: (leaving: AbortSignal) => Promise<T>,
): Promise<T> {
  const usual = socket.timeout ?? 0;
  socket.setTimeout(CALL_SILENCE_MS);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  // A destroyed response has already emitted its event.
  if (response.destroyed) leave();
  response.once('close', leave);
  try {
    return await call(leaving.signal);
  } finally {
    response.off('close', leave);
    socket.setTimeout(usual);
  }
}

/**
 * Resolves to the state of a hand-off (a request for a person) when the hand-off has ended, or after
 * `seconds`. Rejects with the errors of the host's `call`.
 *
 * @param leaving signals that the client has gone; the wait then ends
 */
export async function endedHandoff(
  session: Session,
  id: string,
  seconds: number,
  program: CallingAgent,
  leaving: AbortSignal,
): Promise<HandoffState> {
  const wait = Math.min(seconds, CALL_SECONDS);
  const state = await session.host.forward('handoffs.get', [id, wait], program, leaving);
  if (state.outcome !== null || seconds <= wait) return state;
  return endedHandoff(session, id, seconds - wait, program, leaving);
}
