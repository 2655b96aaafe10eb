import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { viteBuild } from '../../fakes/vite-build.js';

/**
 * Files of the public client and of the built element. The customer's pages below load them as a real site
 * would.
 */
const PAGES = new URL('../../e2e/pages/', import.meta.url);
const ELEMENT = fileURLToPath(new URL('../../../dist/element/define.js', import.meta.url));
const CLIENT = createRequire(import.meta.url).resolve('@hyperbeam/web/dist/index.js');

const ELEMENT_PAGE = `<!doctype html>
<meta charset="utf-8" />
<title>A page of a customer</title>
<link rel="icon" href="data:," />
<style>body { margin: 0 } cloud-browser { display: block; width: 800px; height: 600px }</style>
<script type="module" src="element.js"></script>
<cloud-browser></cloud-browser>
<script>
  document.querySelector('cloud-browser').setAttribute('embed-url', decodeURIComponent(location.hash.slice(1)));
</script>`;

const TYPES: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Pages of a customer, on loopback: one with the built element, one with the public client as npm has it. */
export class CustomerSite {
  readonly #server = createServer((request, response) => {
    this.#serve(request.url ?? '', response).catch(() => response.writeHead(404).end());
  });
  #element: Promise<Map<string, string>> | undefined;

  static async start(): Promise<CustomerSite> {
    const site = new CustomerSite();
    site.#server.listen(0, '127.0.0.1');
    await once(site.#server, 'listening');
    return site;
  }

  /** The page with a `<cloud-browser>` for a session. */
  elementPage(embedUrl: string): string {
    return `${this.#origin}/element.html#${encodeURIComponent(embedUrl)}`;
  }

  /** The page that starts the public client on request. */
  get embedderPage(): string {
    return `${this.#origin}/embedder.html`;
  }

  /** The same page, whose Content-Security-Policy allows only its own files and the service. */
  strictPage(service: URL): string {
    const policy = [
      ...["default-src 'none'", "style-src 'self'", "script-src 'self' blob:", "img-src 'self' blob: data:"],
      `connect-src ${service.origin} ws://${service.host}`,
    ];
    return `${this.embedderPage}?policy=${encodeURIComponent(policy.join('; '))}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(path: string, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(path, 'http://page');
    const name = pathname.slice(1);
    const policy = searchParams.get('policy');
    const body = await this.#body(name);
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? '';
    const headers = { 'content-type': `${type}; charset=utf-8` };
    response.writeHead(200, policy ? { ...headers, 'content-security-policy': policy } : headers).end(body);
  }

  async #body(name: string): Promise<string> {
    if (name === 'element.html') return ELEMENT_PAGE;
    const parts = name.endsWith('.js') ? await (this.#element ??= bundled(ELEMENT)) : undefined;
    const part = parts?.get(name);
    if (part !== undefined) return part;
    if (name === 'client-38.js') return readFile(CLIENT, 'utf8');
    if (!/^embedder\.(html|css|js)$/.test(name)) throw new Error(`There is no ${name}.`);
    return readFile(new URL(name, PAGES), 'utf8');
  }
}

/**
 * Bundles a module of the built package with all its imports and lazily loaded code. Returns the code by its
 * address.
 */
async function bundled(entry: string): Promise<Map<string, string>> {
  const output = { entryFileNames: 'element.js', chunkFileNames: 'parts/[name].js' };
  const { output: chunks } = (await viteBuild({
    configFile: false,
    base: './',
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: entry, output } },
  })) as Rolldown.RolldownOutput;
  return new Map(chunks.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk.code]] : [])));
}
