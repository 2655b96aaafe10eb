import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, ConsoleMessage, Page } from '@playwright/test';
import { atEnd } from './cleanup.js';
import { until } from './until.js';

const PAGES = new URL('../pages/', import.meta.url);
const require = createRequire(import.meta.url);
/** The public client from npm, by the last number of its version. */
const CLIENTS: Record<string, string> = {
  38: '@hyperbeam/web/dist/index.js',
  37: 'hyperbeam-web-37/dist/index.js',
  34: 'hyperbeam-web-34/dist/index.js',
  30: 'hyperbeam-web-30/dist/index.js',
};
const TYPES: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** The client's default is five seconds; on a busy machine a session may take longer to start. */
const CONNECT_TIMEOUT_MS = 60_000;

/** The properties of a client that started, or its error. */
export interface Started {
  userId: string;
  width: number;
  height: number;
  maxArea: number;
  error?: string;
  message?: string;
}

/** The outcome of a call of a client. */
export interface Outcome {
  result?: unknown;
  error?: string;
}

/** An event that a client reported to its page, with the name of the callback. */
export type Told = { event: string } & Record<string, unknown>;

declare global {
  interface Window {
    embeds: Record<
      string,
      {
        hb: Record<string, unknown>;
        events: Told[];
        target: HTMLElement;
        frames: ImageBitmap[];
        sound?: MediaStreamTrack;
      }
    >;
    /** Addresses that the page's policy stopped, with the directive that did. */
    violations: string[];
    play(stream: MediaStream): void;
    start(name: string, embedUrl: string, options?: object): Promise<Started>;
    call(name: string, path: string, ...args: unknown[]): Promise<Outcome>;
    listen(name: string, event: string): Promise<Outcome>;
    unlisten(name: string, event: string): Promise<Outcome>;
    colourOf(picture: CanvasImageSource, x: number, y: number): number[];
  }
}

/** A customer's page that shows sessions with the public client, unmodified. */
export class Embedder {
  /** Errors and warnings of the page's console, and uncaught errors. */
  readonly complaints: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  /** Opens the page, with a Content-Security-Policy of its own if wanted. */
  static async open(browser: Browser, policy?: string): Promise<Embedder> {
    const site = createServer((request, response) => {
      serve(request.url ?? '', policy, response).catch(() => response.writeHead(404).end());
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const context = await browser.newContext({ viewport: { width: 1320, height: 520 } });
    atEnd(async () => {
      await context.close();
      site.closeAllConnections();
      site.close();
    });
    const page = await context.newPage();
    const embedder = new Embedder(page);
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/embedder.html`);
    return embedder;
  }

  /** Starts a client in the element of this name. Options cross as JSON; `version` chooses the client. */
  async start(name: string, embedUrl: string, options: object = {}): Promise<Started> {
    const parameters = { name, embedUrl, options: { timeout: CONNECT_TIMEOUT_MS, ...options } };
    return this.page.evaluate((given) => window.start(given.name, given.embedUrl, given.options), parameters);
  }

  /** Returns what the page's Content-Security-Policy has stopped. */
  async violations(): Promise<string[]> {
    return this.page.evaluate(() => window.violations);
  }

  async call(name: string, path: string, ...args: unknown[]): Promise<Outcome> {
    return this.page.evaluate((given) => window.call(given.name, given.path, ...given.args), {
      name,
      path,
      args,
    });
  }

  /** Listens to an event of the tabs, such as `onUpdated`; events are recorded under its name. */
  async listen(name: string, event: string): Promise<Outcome> {
    return this.page.evaluate((given) => window.listen(given.name, given.event), { name, event });
  }

  async unlisten(name: string, event: string): Promise<Outcome> {
    return this.page.evaluate((given) => window.unlisten(given.name, given.event), { name, event });
  }

  async set(name: string, property: string, value: unknown): Promise<void> {
    await this.page.evaluate((given) => void (window.embeds[given.name]!.hb[given.property] = given.value), {
      name,
      property,
      value,
    });
  }

  async get(name: string, property: string): Promise<unknown> {
    return this.page.evaluate((given) => window.embeds[given.name]!.hb[given.property], { name, property });
  }

  /** The events that the client has reported under a name so far. */
  async told(name: string, event: string): Promise<Told[]> {
    const events = await this.page.evaluate((key) => window.embeds[key]!.events, name);
    return events.filter((each) => each.event === event);
  }

  /** Resolves to the first such event. */
  async tells(name: string, event: string): Promise<Told> {
    return until(`the client tells ${event}`, async () => (await this.told(name, event))[0]);
  }

  /** Resolves when the canvas in the element shows a picture. */
  async shows(name: string): Promise<void> {
    await until('a picture is there', () =>
      this.page.evaluate((key) => {
        const canvas = window.embeds[key]!.target.shadowRoot?.querySelector('canvas');
        return canvas && canvas.width !== 300 && window.colourOf(canvas, 0.5, 0.9).some((part) => part > 0);
      }, name),
    );
  }
}

async function serve(path: string, policy: string | undefined, response: ServerResponse): Promise<void> {
  const name = new URL(path, 'http://page').pathname.slice(1);
  const client = CLIENTS[/^client-(\d+)\.js$/.exec(name)?.[1] ?? ''];
  if (name === 'favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  if (!client && !/^embedder\.(html|css|js)$/.test(name)) {
    response.writeHead(404).end();
    return;
  }
  const body = await readFile(client ? require.resolve(client) : new URL(name, PAGES));
  response.writeHead(200, {
    'content-type': `${TYPES[name.split('.').at(-1) ?? ''] ?? ''}; charset=utf-8`,
    ...(policy && { 'content-security-policy': policy }),
  });
  response.end(body);
}
