import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ServiceError } from '../../service-error.js';
import type { ElementScript } from '../pages/built-pages.js';
import { ModuleFile } from '../pages/module-file.js';
import { isMissingFile } from '../pages/page.js';
import { openToPages } from '../access/session-scope.js';
import { FOR_ALL_PAGES, FOR_GOOD } from './parts.js';

/** Cache header: clients revalidate the file each time, and the service sends it again only if it changed. */
const UNTIL_CHANGED = 'no-cache';

/**
 * Serves the script of a custom element. Pages of any origin can load it without a bundler: from
 * `/element.js`, or with a fixed version from `/element@<version>.js`. `/element.json` contains the data for
 * a script tag. For the parts that the element loads later see `partRoutes`.
 *
 * @param name name of the script: `element` or `replay`
 */
export function elementRoutes(
  name: string,
  script: ElementScript,
  publicUrl: () => string,
): FastifyPluginAsyncTypebox {
  const module = new ModuleFile(script.file, name);
  return async (app) => {
    openToPages(app);
    app.get(`/${name}.js`, async (request, reply) => {
      const tag = `"${await module.integrity()}"`;
      reply.headers({ etag: tag, 'cache-control': UNTIL_CHANGED, ...FOR_ALL_PAGES });
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
      return module.send(request, reply, {});
    });
    const versioned = { params: Type.Object({ version: Type.String({ maxLength: 100 }) }) };
    app.get(`/${name}@:version.js`, { schema: versioned }, async (request, reply) => {
      const { version } = request.params;
      if (version !== script.version)
        throw new ServiceError('err_not_found', `${name} ${version}: this is ${script.version}`);
      return module.send(request, reply, { 'cache-control': FOR_GOOD, ...FOR_ALL_PAGES });
    });
    app.get(`/${name}.json`, async (_request, reply) => {
      reply.header('cache-control', UNTIL_CHANGED);
      const src = new URL(`/${name}@${script.version}.js`, publicUrl()).href;
      return { version: script.version, src, integrity: await module.integrity() };
    });
    app.get(`/${name}.licenses.md`, async (_request, reply) =>
      reply.type('text/markdown; charset=utf-8').send(
        await readFile(script.licenses, 'utf8').catch((error: unknown) => {
          throw isMissingFile(error) ? new ServiceError('err_not_built', name) : error;
        }),
      ),
    );
  };
}
