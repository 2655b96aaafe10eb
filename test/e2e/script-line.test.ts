import assert from 'node:assert/strict';
import { AnsweringServer } from './support/answering-server.js';
import { cleanUpAtEnd, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 360 };

/** What embedding.md asks a page to allow, and nothing else. */
function policyFor(service: string): string {
  const socket = service.replace('http', 'ws');
  return `default-src 'none'; script-src ${service}; img-src blob:; connect-src ${service} ${socket}`;
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
    const headers = { 'content-type': 'text/html', 'content-security-policy': policyFor(service.url) };
    const shop = await AnsweringServer.start((_request, response) => {
      response.writeHead(200, headers).end(html);
    });
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(shop.url);
    await until('the element plays', () =>
      page.evaluate(`(({ state, stats }) => state === 'playing' && stats.framesPainted > 0)(
        document.querySelector('cloud-browser'))`),
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });
