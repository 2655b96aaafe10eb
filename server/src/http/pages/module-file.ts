import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../service-error.js';
import { isMissingFile } from './page.js';

interface Content {
  /** Modification time of the file in milliseconds. */
  modified: number;
  plain: Buffer;
  zipped: Buffer;
  /** Hash of the file, in the form of the `integrity` attribute of a script. */
  integrity: string;
}

/**
 * One JavaScript file that pages of any origin import. Its content stays in memory until the file changes.
 */
export class ModuleFile {
  #content: Content | undefined;

  /** @param name used in the error if the file is missing */
  constructor(
    private readonly path: string,
    private readonly name: string,
  ) {}

  /**
   * Sends the file, compressed if the client supports it. Throws {@link ServiceError} `err_not_built`.
   *
   * @param headers additional headers of the answer, such as its cache lifetime
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: Record<string, string>,
  ): Promise<FastifyReply> {
    const { plain, zipped } = await this.#read();
    const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (compressed) reply.header('content-encoding', 'gzip');
    return reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...headers,
      })
      .send(compressed ? zipped : plain);
  }

  /**
   * Returns the hash of the file for the `integrity` attribute of a script. Throws {@link ServiceError}
   * `err_not_built`.
   */
  async integrity(): Promise<string> {
    return (await this.#read()).integrity;
  }

  async #read(): Promise<Content> {
    try {
      const { mtimeMs: modified } = await stat(this.path);
      if (this.#content?.modified === modified) return this.#content;
      const plain = await readFile(this.path);
      const integrity = `sha384-${createHash('sha384').update(plain).digest('base64')}`;
      return (this.#content = { modified, plain, zipped: await promisify(gzip)(plain), integrity });
    } catch (error) {
      throw isMissingFile(error) ? new ServiceError('err_not_built', this.name) : error;
    }
  }
}
