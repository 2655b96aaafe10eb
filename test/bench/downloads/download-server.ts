import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pause } from '../statistics.js';

/** Options of a download: TLS or plain, size in bytes, and the limit in bytes per second. */
export interface Download {
  secure: boolean;
  size: number;
  rate?: number;
}

/** Bytes of one write. */
const PIECE = Buffer.alloc(1_048_576, 'x');
/** A paced sender looks at its clock this often. */
const PACE_MS = 2;

/**
 * A page that waits for an order, downloads the given URL to its end and asks for the next order. The page's
 * clock is not used. The server measures from its order to the page's next request.
 */
const PAGE = `<!doctype html><title>Download</title><script>
  (async () => {
    let read = 0;
    for (;;) {
      const address = await (await fetch('/next?read=' + read, { cache: 'no-store' })).text();
      const body = (await fetch(address, { cache: 'no-store' })).body.getReader();
      read = 0;
      for (let part = await body.read(); !part.done; part = await body.read()) read += part.value.length;
    }
  })();
</script>`;

/** Serves the page and its downloads on loopback, over HTTP and HTTPS. */
export class DownloadServer {
  #waiting: { response: ServerResponse; read: number } | undefined;
  #onWaiting: (() => void) | undefined;
  readonly #servers;

  private constructor(directory: string) {
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const name = ['-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', ['req', ...kind, ...name], { stdio: 'ignore' });
    const listener: RequestListener = (request, response) => this.#onRequest(request.url ?? '', response);
    this.#servers = {
      plain: createServer(listener),
      secure: createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener),
    };
  }

  /** @param directory an empty one, for a certificate */
  static async start(directory: string): Promise<DownloadServer> {
    const server = new DownloadServer(directory);
    for (const one of Object.values(server.#servers)) {
      one.listen(0, '127.0.0.1');
      await once(one, 'listening');
    }
    return server;
  }

  /** Where a browser finds the page. */
  page({ secure }: Pick<Download, 'secure'>): string {
    const server = secure ? this.#servers.secure : this.#servers.plain;
    return `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /**
   * Makes the waiting page download a file. Resolves to bytes per second. Only one page may be open at a
   * time.
   */
  async measure({ size, rate }: Download): Promise<number> {
    const { response } = await this.#asked();
    this.#waiting = undefined;
    const began = performance.now();
    response.end(`/file?size=${size}&rate=${rate ?? 0}`);
    const { read } = await this.#asked();
    if (read !== size) throw new Error(`Of ${size} bytes ${read} came.`);
    return size / ((performance.now() - began) / 1000);
  }

  /** Forgets the page that waits, because its browser ends. */
  forget(): void {
    this.#waiting = undefined;
  }

  async close(): Promise<void> {
    for (const server of Object.values(this.#servers)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #asked(): Promise<{ response: ServerResponse; read: number }> {
    if (!this.#waiting) await new Promise<void>((resolve) => (this.#onWaiting = resolve));
    if (!this.#waiting) throw new Error('The page does not ask.');
    return this.#waiting;
  }

  #onRequest(url: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://download');
    const number = (name: string) => Number(searchParams.get(name));
    if (pathname === '/next') {
      this.#waiting = { response, read: number('read') };
      this.#onWaiting?.();
    } else if (pathname === '/file') void send(response, number('size'), number('rate') || Infinity);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(pathname === '/' ? PAGE : '');
  }
}

async function send(response: ServerResponse, size: number, rate: number): Promise<void> {
  let goOn: () => void = () => undefined;
  for (const event of ['drain', 'close']) response.on(event, () => goOn());
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  const began = performance.now();
  let sent = 0;
  while (sent < size && !response.destroyed) {
    const due = rate === Infinity ? size : Math.min(size, ((performance.now() - began) / 1000) * rate);
    const piece = PIECE.subarray(0, Math.min(PIECE.length, due - sent));
    sent += piece.length;
    if (piece.length === 0) await pause(PACE_MS);
    else if (!response.write(piece)) await new Promise<void>((resolve) => (goOn = resolve));
  }
  response.end();
}
