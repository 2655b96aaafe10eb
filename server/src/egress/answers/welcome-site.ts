import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { WELCOME_HOST } from '../../platform/network/welcome-host.js';
import { byteRange } from './byte-range.js';
import { ResolveError } from '../name-resolver.js';

/** Content types of the files that the site may contain. Other files are left out. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webm': 'video/webm',
};

/**
 * Headers of every answer. They let the page use only its own files, and no other page can embed or read the
 * page.
 */
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface SiteFile {
  type: string;
  content: Buffer;
}

/**
 * The demo's first page, at a host name of its own. The egress process serves the page, so hosted browsers
 * need no other network for it. The files of the page are read into memory once. A request must name a file
 * exactly. A request never reaches the disk or another host.
 */
export class WelcomeSite {
  /** Files by path, such as `/index.css`. */
  readonly #files: ReadonlyMap<string, SiteFile>;

  constructor(files: ReadonlyMap<string, Buffer>) {
    const known = [...files].flatMap(([path, content]): [string, SiteFile][] => {
      const type = TYPES[extname(path)];
      return type === undefined ? [] : [[path, { type, content }]];
    });
    this.#files = new Map(known);
  }

  /** Reads the built site from a directory. Returns undefined if it does not exist. */
  static read(directory: string): WelcomeSite | undefined {
    try {
      const files = readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      return new WelcomeSite(
        new Map(files.map((file) => [file.slice(directory.length), readFileSync(file)])),
      );
    } catch {
      return undefined;
    }
  }

  /**
   * True if a host name from the URL parser is the site's host. Requests for this host must not leave the
   * egress process.
   */
  static isHost(host: string): boolean {
    return host.toLowerCase().replace(/\.$/, '') === WELCOME_HOST;
  }

  /**
   * Returns the error for requests that the site cannot answer: other ports, TLS, WebSockets, and all
   * requests if the site is not built.
   */
  static closed(): ResolveError {
    return new ResolveError(`${WELCOME_HOST} has one page, http://${WELCOME_HOST}/.`);
  }

  /**
   * Answers a request for one of the files. Throws {@link ResolveError} if the address has a port other than
   * 80.
   */
  answer(incoming: IncomingMessage, response: ServerResponse, target: URL): void {
    if (target.port !== '') throw WelcomeSite.closed();
    // Discards the body of the request, so that the connection can take the next request.
    incoming.resume();
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
      response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', 'content-length': 0 }).end();
      return;
    }
    const file = this.#files.get(target.pathname === '/' ? '/index.html' : target.pathname);
    if (!file) {
      response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
      response.end(`There is no such file. The page is at http://${WELCOME_HOST}/.\n`);
      return;
    }
    const { type, content } = file;
    const headers = { ...HEADERS, 'content-type': type, 'accept-ranges': 'bytes' };
    const range = byteRange(incoming.headers.range, content.length);
    if (range === 'none') {
      response.writeHead(416, { ...HEADERS, 'content-range': `bytes */${content.length}` }).end();
      return;
    }
    const part = range ? content.subarray(range.first, range.last + 1) : content;
    response.writeHead(range ? 206 : 200, {
      ...headers,
      'content-length': part.length,
      ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${content.length}` }),
    });
    response.end(incoming.method === 'HEAD' ? undefined : part);
  }
}
