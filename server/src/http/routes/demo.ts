import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { DemoKey } from '../../auth/demo-key.js';
import { isLoopbackName } from '../../platform/loopback.js';
import { ServiceError } from '../../service-error.js';
import { readPage, serveAssets, type Page } from '../pages/page.js';
import { pageHeaders } from '../pages/page-security.js';

/** What the routes of the demo need. */
export interface DemoRoutesParts {
  page: Page;
  /** Where viewers reach this service. */
  publicUrl: () => string;
  /** Lends the key that was made for this run; undefined when the operator set keys, which are not ours to lend. */
  demoKey: DemoKey | undefined;
  /** The documentation is served, so the demo links to it. */
  hasDocs: boolean;
}

/** What the demo sends for the key of this run: the one-time secret of the address that the terminal shows. */
const KeyRequest = Type.Object({ secret: Type.String({ maxLength: 100 }) });

/**
 * Each page of the demo and its file: `/` is what a newcomer opens first; `/admin` has the icons of tabs; `/operator` shows the nodes to
 * who has a key for that, and says nothing to others.
 */
const PAGES = {
  '/': 'index.html',
  '/mobile': 'mobile.html',
  '/admin': 'admin.html',
  '/operator': 'operator.html',
};

/** Hides the link to the documentation. */
const DOCS_LINK = ' data-docs hidden';

/** The demo: its pages, and what they ask of the service. */
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
        const foreignImages = path === '/admin';
        return reply
          .headers(pageHeaders(publicUrl(), 'nowhere', { foreignImages }))
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
 * A generated key exists only while we listen on loopback, so only programs of this machine can ask. Two kinds of them may
 * ask for a stranger: a browser whose page made its own name resolve to 127.0.0.1 (DNS rebinding; then `Host` is that
 * name), and a reverse proxy (then it says for whom). Neither gets the key.
 */
function isAskedLocally(request: FastifyRequest): boolean {
  const { host, forwarded, via } = request.headers;
  const proxied = forwarded ?? via ?? request.headers['x-forwarded-for'] ?? request.headers['x-real-ip'];
  if (proxied !== undefined || host === undefined || !URL.canParse(`http://${host}`)) return false;
  return isLoopbackName(new URL(`http://${host}`).hostname);
}
