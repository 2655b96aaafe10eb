import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, ConsoleMessage, Page } from '@playwright/test';
import { atEnd } from '../../e2e/support/cleanup.js';

const PAGES = new URL('../pages/', import.meta.url);
const CLIENT = createRequire(import.meta.url).resolve('@hyperbeam/web/dist/index.js');
const TYPES: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Every page of a customer: an element for the session, and a script of the page's name. */
const pageOf = (name: string) => `<!doctype html>
<meta charset="utf-8" />
<title>A page of a customer</title>
<link rel="stylesheet" href="page.css" />
<div id="screen"></div>
<script type="module" src="${name}.js" crossorigin></script>
`;

/** Facts that customers' pages report. Each page reports some of them. */
export interface Customer {
  /** True if the client is ready. */
  ready?: boolean;
  error?: string;
  [fact: string]: unknown;
}

declare global {
  interface Window {
    customer: Customer;
  }
}

/** A customer's site: pages in the style of customers, with the public client from npm. */
export class CustomerSite {
  private constructor(private readonly origin: string) {}

  /** @param headers added to every answer, such as a policy */
  static async start(headers: Record<string, string> = {}): Promise<CustomerSite> {
    const server = createServer((request, response) => {
      serve(request.url ?? '', headers, response).catch(() => response.writeHead(404).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return new CustomerSite(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Opens a page of test/compat/pages for a session, in a window of its own. */
  async open(browser: Browser, name: string, embedUrl: string, options: object = {}): Promise<CustomerPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    atEnd(() => context.close());
    const page = await context.newPage();
    const customer = new CustomerPage(page);
    const asked = encodeURIComponent(JSON.stringify({ embedUrl, ...options }));
    await page.goto(`${this.origin}/${name}.html#${asked}`);
    return customer;
  }
}

/** An open page of a customer. */
export class CustomerPage {
  /** Errors of the page's console, and uncaught ones. */
  readonly complaints: string[] = [];

  constructor(readonly page: Page) {
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') this.complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  /** Resolves when the page has its client. Rejects with the message of the client's error. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(
      () => {
        if (window.customer.error) throw new Error(window.customer.error);
        return window.customer.ready;
      },
      undefined,
      { timeout: 60_000 },
    );
  }

  /** Resolves to a fact when it has the wanted value. */
  async tells<Value>(fact: string, holds: (value: Value) => unknown, timeout = 60_000): Promise<Value> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const value = (await this.page.evaluate((name) => window.customer[name], fact)) as Value;
      if (holds(value)) return value;
      if (Date.now() > deadline) throw new Error(`${fact} is ${JSON.stringify(value)}.`);
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  /** Calls a function that the page has for its buttons. */
  async press(name: string, ...args: unknown[]): Promise<unknown> {
    return this.page.evaluate(
      ({ action, given }) => (window.customer[action] as (...args: unknown[]) => unknown)(...given),
      { action: name, given: args },
    );
  }
}

async function serve(path: string, headers: Record<string, string>, response: ServerResponse): Promise<void> {
  const name = new URL(path, 'http://page').pathname.slice(1);
  const [base = '', ending = ''] = name.split('.');
  const type = {
    'content-type': `${TYPES[ending] ?? ''}; charset=utf-8`,
    'access-control-allow-origin': '*',
  };
  if (name === 'favicon.ico') response.writeHead(204).end();
  else if (ending === 'html') response.writeHead(200, { ...type, ...headers }).end(pageOf(base));
  else if (name === 'client.js') response.writeHead(200, { ...type, ...headers }).end(await readFile(CLIENT));
  else if (/^[a-z-]+\.(css|js)$/.test(name))
    response.writeHead(200, { ...type, ...headers }).end(await readFile(new URL(name, PAGES)));
  else response.writeHead(404).end();
}
