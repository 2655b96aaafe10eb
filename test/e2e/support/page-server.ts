import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd, type End } from './cleanup.js';
import { HostedPage } from './hosted-page.js';

const PAGES = new URL('../pages/', import.meta.url);

/**
 * Serves test/e2e/pages on loopback. A page reports its content and its events, and runs scripts of the test.
 * So tests observe the hosted page independently of the session's own browser connection.
 */
export class PageServer {
  readonly #pages = new Map<string, HostedPage>();

  private constructor(private readonly server: Server) {}

  /** Starts to listen. The clean-up is registered with `end`, by default for the end of the test file. */
  static async start(end: End = atEnd): Promise<PageServer> {
    const server = createServer();
    const pages = new PageServer(server);
    server.on('request', (request, response) => void pages.#answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    end(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return pages;
  }

  /**
   * Creates a separate address for a page of test/e2e/pages, with the reports of the browser that opens it.
   */
  page(name: string): HostedPage {
    const id = `${this.#pages.size + 1}`;
    const { port } = this.server.address() as AddressInfo;
    const page = new HostedPage(`http://127.0.0.1:${port}/${name}.html?id=${id}`);
    this.#pages.set(id, page);
    return page;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://pages');
    const page = this.#pages.get(url.searchParams.get('id') ?? '');
    if (page && url.pathname === '/report') {
      page.reported(JSON.parse(await textOf(request)) as Record<string, unknown>);
      response.writeHead(204).end();
    } else if (page && url.pathname === '/orders') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.flushHeaders();
      page.listening(response);
    } else {
      if (page) page.requests.push(request.headers);
      await serveFile(url.pathname, response);
    }
  }
}

async function serveFile(path: string, response: ServerResponse): Promise<void> {
  const name = /^\/([a-z-]+\.(?:html|js))$/.exec(path)?.[1];
  const body = name && (await readFile(new URL(name, PAGES)).catch(() => undefined));
  if (!name || !body) {
    response.writeHead(404).end();
    return;
  }
  const type = name.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}
