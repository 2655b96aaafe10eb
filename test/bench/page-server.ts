import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGES = ['click', 'scroll', 'launch', 'screencast', 'film', 'noise', 'changes'] as const;

/** A page of test/bench/pages. */
export type Page = (typeof PAGES)[number];

/** Serves the benchmark's pages on loopback. */
export class PageServer {
  /** Held-back answers to the page `launch`; they are sent when `launch()` names an address. */
  readonly #waiting: ServerResponse[] = [];

  private constructor(
    private readonly server: Server,
    /** By their paths. */
    private readonly bodies: Map<string, Buffer>,
  ) {}

  static async start(): Promise<PageServer> {
    const bodies = new Map<string, Buffer>();
    for (const page of PAGES) {
      bodies.set(`/${page}.html`, await readFile(new URL(`pages/${page}.html`, import.meta.url)));
    }
    const server = createServer();
    const pages = new PageServer(server, bodies);
    server.on('request', (request, response) => {
      const path = request.url?.split('?')[0] ?? '/';
      const body = bodies.get(path);
      if (path === '/launch-address') pages.#waiting.push(response);
      else if (body === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return pages;
  }

  address(page: Page): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${page}.html`;
  }

  /** Serves the film that the page `film` plays. */
  setFilm(film: Buffer): void {
    this.bodies.set('/film.webm', film);
  }

  /** True if a browser with the page `launch` is waiting. */
  get launchIsWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Sends every browser that shows the page `launch` to this address. */
  launch(address: string): void {
    for (const response of this.#waiting.splice(0)) response.end(address);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
