import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './support/cleanup.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 360 };

/** What embedding.md asks a page to allow, and nothing else. */
function policyFor(service: string): string {
  const socket = service.replace('http', 'ws');
  return `default-src 'none'; script-src ${service}; img-src blob:; connect-src ${service} ${socket}`;
}

/** Serves one page at an origin of its own, with the policy. */
async function serve(html: string, policy: string): Promise<string> {
  const headers = { 'content-type': 'text/html', 'content-security-policy': policy };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(html));
  atEnd(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const kind of ['the newest', 'a version with its hash'] as const)
  test(`one script line shows a session in a plain page of another origin, under a strict policy: ${kind}`, async ({
    service,
    pages,
    browser,
  }) => {
    const session = await service.create({ start_url: pages.page('marker').url, ...SIZE });
    const element = (await (await fetch(`${service.url}/element.json`)).json()) as Record<string, string>;
    const line =
      kind === 'the newest'
        ? `<script type="module" src="${service.url}/element.js"></script>`
        : `<script type="module" src="${element['src']}" integrity="${element['integrity']}" crossorigin></script>`;
    const html = `<!doctype html><title>Shop</title>${line}
      <cloud-browser embed-url="${session.embed_url}"></cloud-browser>`;
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(await serve(html, policyFor(service.url)));
    await until('the element plays', () =>
      page.evaluate(`(({ state, stats }) => state === 'playing' && stats.framesPainted > 0)(
        document.querySelector('cloud-browser'))`),
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });
