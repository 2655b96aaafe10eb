import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../service-error.js';

/**
 * One or several pages from the SDK's build: HTML files, and assets whose names change with their content.
 */
export interface Page {
  /** The name in errors. */
  name: string;
  /** Contains `index.html`, optional other pages, and `assets/`. */
  directory: string;
}

/**
 * Reads the HTML of a page from its file each time, so that a rebuild is visible at once. Throws
 * {@link ServiceError} `err_not_built`.
 */
export async function readPage(page: Page, file = 'index.html'): Promise<string> {
  try {
    return await readFile(join(page.directory, file), 'utf8');
  } catch (error) {
    throw isMissingFile(error) ? new ServiceError('err_not_built', page.name) : error;
  }
}

/** True if a file could not be read because it does not exist. Other errors belong in the log. */
export function isMissingFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
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
