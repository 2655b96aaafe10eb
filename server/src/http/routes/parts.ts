import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ServiceError } from '../../service-error.js';
import { ModuleFiles } from '../pages/module-files.js';
import { openToPages } from '../access/session-scope.js';

/** Value of `Cache-Control` for addresses whose answers never change. */
export const FOR_GOOD = 'public, max-age=31536000, immutable';
/** Header that also lets pages with cross-origin isolation load the file. */
export const FOR_ALL_PAGES = { 'cross-origin-resource-policy': 'cross-origin' };

/**
 * Serves the parts that a script loads later, to pages of any origin. The addresses are below
 * `/<script>-parts/` and contain the id of the build, so their content never changes.
 *
 * @param script name of the script
 * @param directory directory of the parts. It contains one directory per build, with the parts in it
 */
export function partRoutes(script: string, directory: string): FastifyPluginAsyncTypebox {
  const parts = new ModuleFiles(directory, script);
  const schema = { params: Type.Object({ '*': Type.String({ maxLength: 100 }) }) };
  return async (app) => {
    openToPages(app);
    app.get(`/${script}-parts/*`, { schema }, async (request, reply) => {
      const file = await parts.get(request.params['*']);
      if (!file) throw new ServiceError('err_not_found', `part of the ${script} of another build`);
      return file.send(request, reply, { 'cache-control': FOR_GOOD, ...FOR_ALL_PAGES });
    });
  };
}
