import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { sendError } from '../answers/answer-errors.js';
import type { ModuleFile } from '../pages/module-file.js';
import { readPage, serveAssets, type Page } from '../pages/page.js';
import { pageHeaders } from '../pages/page-security.js';
import { clientAddress } from '../../platform/network/client-address.js';
import type { AllowedOrigins } from '../../platform/network/origins.js';
import { decodeSessionId } from '../../sessions/viewers/session-address.js';
import { ServiceError } from '../../service-error.js';
import { openToPages, SESSION_PATH } from '../access/session-scope.js';
import type { EmbedAccess } from '../../sessions/viewers/embed-access.js';

/** Parts that the routes of embed URLs need. */
export interface EmbedRoutesParts {
  embedAccess: EmbedAccess;
  page: Page;
  /** The module that shows the session on a page that imports it. */
  module: ModuleFile;
  /** Returns the public address of this service. */
  publicUrl: () => string;
  /** Origins of the pages that may show sessions. */
  origins: AllowedOrigins;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
}

/**
 * Headers of the module. Caches must not store it, because the address contains a token and the next build
 * has another module.
 */
const MODULE_HEADERS = { 'cache-control': 'no-store', vary: 'accept-encoding, sec-fetch-dest' };

/** Reasons for a refusal that are about the token and not about the session. */
const NO_ACCESS = new Set(['unauthorized', 'token_expired', 'token_revoked']);

/** Values of `Sec-Fetch-Dest` when a browser navigates. */
const DOCUMENTS = new Set(['document', 'iframe', 'frame', 'embed', 'object']);

/**
 * Serves the session's own address, to pages of any origin. A navigation gets the viewer page, even if the
 * viewer may not join, because that page can show the reason. Any other request gets the module that shows
 * the session, or the refusal as JSON.
 */
export function embedRoutes(parts: EmbedRoutesParts): FastifyPluginAsync {
  const { embedAccess, page, module, publicUrl, origins, proxies } = parts;
  return async (app) => {
    openToPages(app);
    app.get<{ Params: { address: string }; Querystring: { token?: string | string[] } }>(
      SESSION_PATH,
      async (request, reply) => {
        const { token } = request.query;
        const access = await embedAccess.decide(
          decodeSessionId(request.params.address),
          typeof token === 'string' ? token : undefined,
        );
        if (access.admitted) access.session.pageLoaded(clientAddress(request.raw, proxies));
        const refusal = access.admitted ? undefined : refusalOf(access.reason);
        if (!isNavigation(request)) {
          return refusal ? sendError(reply, refusal) : module.send(request, reply, MODULE_HEADERS);
        }
        const html = await readPage(page);
        return reply
          .code(refusal?.status ?? 200)
          .headers(pageHeaders(publicUrl(), origins.listed ?? 'anywhere'))
          .send(html);
      },
    );
    await serveAssets(app, page, '/embed/assets/');
  };
}

function refusalOf(reason: string): ServiceError {
  return new ServiceError(NO_ACCESS.has(reason) ? 'err_unauthorized_viewer' : 'err_session_terminated');
}

/** True if a browser requests a page to show in a tab or a frame. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'];
  if (typeof destination === 'string') return DOCUMENTS.has(destination);
  return headers.accept?.includes('text/html') ?? false;
}
