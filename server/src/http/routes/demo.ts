import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { DemoKey } from '../../auth/demo-key.js';
import { isLoopbackName } from '../../platform/network/loopback.js';
import { ServiceError } from '../../service-error.js';
import { readPage, serveAssets, type Page } from '../pages/page.js';
import { pageHeaders } from '../pages/page-security.js';

/** Parts that the routes of the demo need. */
export interface DemoRoutesParts {
  page: Page;
  /** Returns the public address of this service. */
  publicUrl: () => string;
  /**
   * Provides the key that was generated for this run. Undefined if the operator set keys, because the demo
   * must not reveal the operator's keys.
   */
  demoKey: DemoKey | undefined;
  /** True if the documentation is served, so that the demo links to it. */
  hasDocs: boolean;
}

/**
 * The demo's request for the key of this run. It contains the one-time secret from the address in the
 * terminal.
 */
const KeyRequest = Type.Object({ secret: Type.String({ maxLength: 100 }) });

/**
 * The pages of the demo and their files. `/` is the start page for newcomers. `/admin` has the tools of a
 * session's admin. `/operator` shows the nodes to users with an operator key.
 */
const PAGES = {
  '/': 'index.html',
  '/mobile': 'mobile.html',
  '/admin': 'admin.html',
  '/operator': 'operator.html',
};

/** Attributes that hide the link to the documentation. */
const DOCS_LINK = ' data-docs hidden';

/** The routes of the demo: its pages, and the request for its key. */
export function demoRoutes({
  page,
  publicUrl,
  demoKey,
  hasDocs,
}: DemoRoutesParts): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const [path, file] of Object.entries(PAGES)) {
      app.get(path, async (_request, reply) => {
        const html = await readPage(page, file);
        return reply
          .headers(pageHeaders(publicUrl(), 'nowhere'))
          .send(hasDocs ? html.replace(DOCS_LINK, '') : html);
      });
    }

    app.post('/demo/key', { schema: { body: KeyRequest } }, async (request, reply) => {
      if (!demoKey || !isAskedLocally(request)) throw new ServiceError('err_start_address');
      reply.header('cache-control', 'no-store');
      return { api_key: demoKey.redeem(request.body.secret) };
    });
    await serveAssets(app, page, '/demo/assets/');
  };
}

/**
 * True if the request comes from this machine without a proxy. A generated key exists only while the service
 * listens on loopback, so only programs of this machine can send requests. Two kinds of local programs may
 * send requests for remote parties, and must not get the key. The first is a browser with a page whose name
 * resolves to 127.0.0.1 (DNS rebinding). Then `Host` contains that name. The second is a reverse proxy, which
 * adds its client's address in a header.
 */
function isAskedLocally(request: FastifyRequest): boolean {
  const { host, forwarded, via } = request.headers;
  const proxied = forwarded ?? via ?? request.headers['x-forwarded-for'] ?? request.headers['x-real-ip'];
  if (proxied !== undefined || host === undefined || !URL.canParse(`http://${host}`)) return false;
  return isLoopbackName(new URL(`http://${host}`).hostname);
}
