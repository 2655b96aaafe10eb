import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { closeAtOnce } from '../platform/network/connections/close-at-once.js';
import type { AllowedOrigins } from '../platform/network/origins.js';
import type { Attempts } from '../platform/rates/attempts.js';
import type { RefusalLog } from '../platform/refusal-log.js';
import { ServiceError } from '../service-error.js';
import type { AutomationAccess, AutomationGrant } from '../sessions/viewers/automation-access.js';
import type { RequestRates } from '../sessions/viewers/request-rates.js';
import { handoverOf } from './handover.js';

/** Parts of {@link AutomationGate}. */
export interface AutomationGateParts {
  automationAccess: AutomationAccess;
  /** Slows down clients that guess tokens. */
  attempts: Attempts;
  refusals: RefusalLog;
  /** Limits how often programs connect. */
  requestRates: RequestRates;
  origins: AllowedOrigins;
}

/**
 * Admits programs that drive a session. A refused program gets an HTTP error instead of an upgrade, because
 * clients of the DevTools protocol show such an error.
 */
export class AutomationGate {
  constructor(private readonly parts: AutomationGateParts) {}

  /**
   * Returns an error if a web page that may not drive sessions has sent the request. Otherwise returns
   * undefined.
   */
  refusalOf(request: IncomingMessage): ServiceError | undefined {
    return this.parts.origins.mayAutomate(request.headers.origin)
      ? undefined
      : new ServiceError('err_foreign_page');
  }

  /** Returns the session of a request and the rights of its token, or undefined after a refusal. */
  async admit(
    request: IncomingMessage,
    socket: Socket,
    sessionId: string,
    ip: string,
    token: string | undefined,
  ): Promise<AutomationGrant | undefined> {
    const { automationAccess, attempts, requestRates } = this.parts;
    const credential = token ?? bearerOf(request);
    const tried = credential ?? '';
    if (!attempts.try(ip, tried)) {
      this.refuse(socket, sessionId, ip, new ServiceError('err_too_many_attempts', attempts.wait(ip)));
      return undefined;
    }
    try {
      const granted = await automationAccess.decide(sessionId, credential);
      attempts.right(ip, tried);
      const refusal = requestRates.connects(sessionId);
      if (refusal) this.refuse(socket, sessionId, ip, refusal);
      return refusal ? undefined : granted;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.code !== 'err_unauthenticated') attempts.right(ip, tried);
      this.refuse(socket, sessionId, ip, error);
      return undefined;
    }
  }

  /** Refuses a request with an error. */
  refuse(socket: Socket, sessionId: string, ip: string, error: ServiceError): void {
    this.parts.refusals.refused(ip, { session: sessionId, reason: error.code });
    closeAtOnce(socket, error.rawAnswer);
  }

  /** Passes the socket of an admitted program to the session's host. */
  async pass(
    { session, grant }: AutomationGrant,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    ip: string,
  ): Promise<void> {
    const { roles, name, tokenId } = grant;
    const client = {
      ...handoverOf(request, head, grant.userId ?? randomUUID(), ip),
      ...(roles && { roles }),
      ...(name !== undefined && { name }),
      ...(tokenId !== undefined && { tokenId }),
    };
    await session.automate(client, socket);
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceError;
}

function bearerOf(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.trim().replace(/^bearer\s+/i, '') || undefined;
}
