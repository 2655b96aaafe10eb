import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../service-error.js';

interface Content {
  /** Of the file that it was read from, in milliseconds. */
  modified: number;
  plain: Buffer;
  zipped: Buffer;
}

/** One JavaScript file that pages of any origin import, kept in memory until it is built anew. */
export class ModuleFile {
  #content: Content | undefined;

  constructor(private readonly path: string) {}

  /** Answers with the file, compressed where that is understood. Throws {@link ServiceError} `err_not_built`. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { plain, zipped } = await this.#read();
    const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (compressed) reply.header('content-encoding', 'gzip');
    return reply
      .headers({
        // The address carries a token, and the next build another module.
        'cache-control': 'no-store',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'accept-encoding, sec-fetch-dest',
        'x-content-type-options': 'nosniff',
      })
      .send(compressed ? zipped : plain);
  }

  async #read(): Promise<Content> {
    try {
      const { mtimeMs: modified } = await stat(this.path);
      if (this.#content?.modified === modified) return this.#content;
      const plain = await readFile(this.path);
      return (this.#content = { modified, plain, zipped: await promisify(gzip)(plain) });
    } catch {
      throw new ServiceError('err_not_built', 'embed');
    }
  }
}
