import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../service-error.js';

/** A page that the SDK's build made, or several: HTML files, and assets whose names change with their content. */
export interface Page {
  /** For people. */
  name: string;
  /** Holds `index.html`, perhaps other pages, and `assets/`. */
  directory: string;
}

/** The HTML of a page, read each time so that a rebuild shows at once. Throws {@link ServiceError} `err_not_built`. */
export async function readPage(page: Page, file = 'index.html'): Promise<string> {
  try {
    return await readFile(join(page.directory, file), 'utf8');
  } catch {
    throw new ServiceError('err_not_built', page.name);
  }
}

/** Serves the assets of a page under a prefix such as `/demo/assets/`. */
export async function serveAssets(app: FastifyInstance, page: Page, prefix: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(page.directory, 'assets'),
    prefix,
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '1y',
    setHeaders: (response) => {
      response.setHeader('x-content-type-options', 'nosniff');
    },
  });
}
