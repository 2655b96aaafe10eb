import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { CallingAgent } from '../../../host-protocol.js';
import type { AllowedOrigins } from '../../../platform/network/origins.js';
import { ServiceError } from '../../../service-error.js';
import type { AutomationAccess } from '../../../sessions/viewers/automation-access.js';
import type { RequestRates } from '../../../sessions/viewers/request-rates.js';
import { cdpUrl, decodeSessionId } from '../../../sessions/viewers/session-address.js';
import type { Session } from '../../../sessions/session.js';
import { credentialOf } from '../../access/credential.js';
import { DevToolsPages, DevToolsVersion } from '../../schemas/session/automation.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import { SESSION_PATH } from '../../access/session-scope.js';

/** Parts that the routes of automation need. */
export interface AutomationRoutesParts {
  automationAccess: AutomationAccess;
  /** Origins of the pages that may show sessions. */
  origins: AllowedOrigins;
  /** Limits how often programs send requests. */
  requestRates: RequestRates;
  /** Returns the public address for the viewers of a session, without a trailing slash. */
  publicUrlOf: (sessionId: string) => string;
}

/** Version of the DevTools protocol that all current browsers report. */
const PROTOCOL_VERSION = '1.3';
const base = { tags: ['A session'], params: AddressPath };
const schemas = {
  version: {
    ...{ ...base, summary: 'Find the WebSocket address for Playwright and Puppeteer' },
    answers: { 'application/json': DevToolsVersion },
  },
  list: {
    ...{ ...base, summary: 'List the pages that programs can drive' },
    answers: { 'application/json': DevToolsPages },
  },
};

/**
 * Routes `json/version` and `json/list` below a session's own address. With them, clients of the DevTools
 * protocol find the address of the session's WebSocket. The routes need a token of the scope `automation` or
 * `admin`. Playwright appends a slash to the paths, so each route also exists with a slash.
 */
export function automationRoutes(parts: AutomationRoutesParts): FastifyPluginCallback {
  const { automationAccess, origins, requestRates, publicUrlOf } = parts;

  const admit = async (
    request: FastifyRequest,
  ): Promise<{ session: Session; url: string; program: CallingAgent }> => {
    if (!origins.mayAutomate(request.headers.origin)) throw new ServiceError('err_foreign_page');
    const { address } = request.params as { address: string };
    const { token } = request.query as { token?: string | string[] };
    const credential = typeof token === 'string' ? token : credentialOf(request);
    request.tryCredential(credential);
    const id = decodeSessionId(address);
    const { session, grant } = await automationAccess.decide(id, credential).catch((error: unknown) => {
      // Only `err_unauthenticated` means that the token is invalid. All other errors are about the session or
      // the scope of a valid token.
      if (error instanceof ServiceError && error.code !== 'err_unauthenticated')
        request.credentialWasRight(credential);
      throw error;
    });
    request.credentialWasRight(credential);
    const refusal = requestRates.requests(id, grant);
    if (refusal) throw refusal;
    const { tokenId } = grant;
    const program = tokenId === undefined ? {} : { tokenId };
    return { session, url: cdpUrl(publicUrlOf(id), id, credential ?? ''), program };
  };

  return (app, _options, done) => {
    const version = async (request: FastifyRequest) => {
      const { url } = await admit(request);
      return { Browser: 'Chrome', 'Protocol-Version': PROTOCOL_VERSION, webSocketDebuggerUrl: url };
    };
    const list = async (request: FastifyRequest) => {
      const { session, url, program } = await admit(request);
      // The list needs no role, because the program sees the same pages through its WebSocket.
      const tabs = await session.host.forward('tabs.query', [{}], program);
      return pagesOf(tabs, url);
    };
    app.get(`${SESSION_PATH}/json/version`, { schema: schemas.version }, version);
    app.get(`${SESSION_PATH}/json/version/`, version);
    app.get(`${SESSION_PATH}/json/list`, { schema: schemas.list }, list);
    app.get(`${SESSION_PATH}/json/list/`, list);
    done();
  };
}

/** Returns the open pages in the form of Chromium's list. */
function pagesOf(tabs: unknown, webSocketDebuggerUrl: string): object[] {
  if (!Array.isArray(tabs)) return [];
  return tabs.map(({ id, title, url }: { id?: unknown; title?: unknown; url?: unknown }) => ({
    ...{ id: String(id), type: 'page', title, url, webSocketDebuggerUrl },
  }));
}
