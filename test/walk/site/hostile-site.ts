import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { until } from '../deadline.js';

const PAGES = new URL('pages/', import.meta.url);
/** Harmless pages: the start page, and the probe page that must answer. */
const FRIENDLY = ['home', 'probe'];
/** The most bytes that a page's report may have. */
const MAX_REPORT_BYTES = 16_384;

/** The state that a probe page has reported so far. */
export interface Probe {
  /** The address that opens it. */
  url: string;
  /** Number of times that it was loaded and painted. */
  loads: number;
  clicks: number;
  /** Size of its view in CSS pixels. */
  width: number;
  height: number;
}

/** A web site on loopback whose pages misuse everything that a browser allows a page. See `pages/`. */
export class HostileSite {
  readonly #probes = new Map<string, Probe>();
  readonly #origin: string;
  /**
   * Origin of the harmless pages. They have another site than the hostile pages, whose service workers and
   * hanging processes do not affect them.
   */
  readonly #friendlyOrigin: string;

  private constructor(
    private readonly server: Server,
    /** Its hostile pages, by name. */
    readonly names: readonly string[],
    port: number,
  ) {
    this.#origin = `http://127.0.0.1:${port}`;
    this.#friendlyOrigin = `http://localhost:${port}`;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<HostileSite> {
    const files = (await readdir(PAGES)).filter((name) => name.endsWith('.html'));
    const names = files.map((name) => name.replace('.html', '')).filter((name) => !FRIENDLY.includes(name));
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The site has no port.');
    return new HostileSite(server, ['protected', ...names.sort()], address.port);
  }

  /** The page that links to all others. */
  get home(): string {
    return `${this.#friendlyOrigin}/home`;
  }

  address(name: string): string {
    return `${this.#origin}/${name}`;
  }

  /** Creates a page with its own address that reports when it is visible and when it is clicked. */
  probe(): Probe {
    const path = `/probe?${this.#probes.size + 1}`;
    const probe = { url: this.#friendlyOrigin + path, loads: 0, clicks: 0, width: 0, height: 0 };
    this.#probes.set(path, probe);
    return probe;
  }

  /** Resolves when the probe was clicked more often than this. */
  async clicked(probe: Probe, before: number, limitMs: number): Promise<void> {
    await until('the page answers a click', limitMs, () => probe.clicks > before);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.#origin);
    if (pathname === '/report') {
      this.#reported(await bodyOf(request));
      response.writeHead(204).end();
    } else if (pathname === '/names') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.names));
    } else if (pathname === '/download') {
      const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
      response.writeHead(200, headers).end('a file');
    } else if (pathname === '/protected' && request.headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="hostile"' }).end('Sign in.');
    } else if (pathname !== '/never') {
      await serveFile(pathname === '/protected' ? '/probe' : pathname, response);
    }
  }

  #reported(text: string): void {
    const report = JSON.parse(text) as Record<string, unknown>;
    const probe = this.#probes.get(String(report['page']));
    if (!probe) return;
    if (report['event'] === 'loaded') probe.loads += 1;
    if (report['event'] === 'clicked') probe.clicks += 1;
    probe.width = Number(report['width']);
    probe.height = Number(report['height']);
  }
}

async function serveFile(path: string, response: ServerResponse): Promise<void> {
  const [, name, extension] = /^\/([a-z-]+)(\.js)?$/.exec(path) ?? [];
  const file = name === undefined ? undefined : new URL(`${name}${extension ?? '.html'}`, PAGES);
  const body = file && (await readFile(file).catch(() => undefined));
  if (!body) {
    response.writeHead(404).end();
    return;
  }
  const type = extension === '.js' ? 'text/javascript' : 'text/html; charset=utf-8';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_REPORT_BYTES) throw new RangeError('The report is too long.');
  }
  return text;
}
