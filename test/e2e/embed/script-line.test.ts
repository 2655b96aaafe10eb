import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { AnsweringServer } from '../support/answering-server.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 360 };
const ROLES = ['control', 'clipboard_copy'];

/** Exactly the policy that embedding.md requires of a page. */
function policyFor(service: string): string {
  const socket = service.replace('http', 'ws');
  return `default-src 'none'; script-src ${service}; connect-src ${service} ${socket}`;
}

for (const kind of ['the newest', 'a version with its hash'] as const)
  test(`one script line shows a session in a plain page of another origin, under a strict policy: ${kind}`, async ({
    service,
    show,
    browser,
  }) => {
    const { session } = await show('marker', { ...SIZE, default_roles: ROLES });
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
    const part = page.waitForResponse(/\/element-parts\/[0-9a-f]{16}\/clipboard-contents\.js$/);
    await page.goto(shop.url);
    await plays(page);
    // Lazily loaded parts are subject to the same policy.
    assert.equal((await part).status(), 200);
    await page.evaluate(`document.querySelector('cloud-browser').client.clipboard.read()`);
    assert.deepEqual(complaints, []);
    await page.close();
  });

test('script parts that fail to load do not stop the picture, and are requested again until they load', async ({
  service,
  show,
  browser,
}) => {
  const { remote, session } = await show('clipboard', { ...SIZE, kiosk: true, default_roles: ROLES });
  const shop = await AnsweringServer.start((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><script type="module" src="${service.url}/element.js"></script>
        <cloud-browser embed-url="${session.embed_url}"></cloud-browser>
        <script>
          window.told = [];
          document.querySelector('cloud-browser').addEventListener('error', ({ error }) => told.push(error.message));
        </script>`);
  });
  const page = await browser.newPage();
  let blocked = true;
  await page.route(/\/element-parts\//, (route) =>
    blocked || route.request().url().includes('clipboard-contents') ? route.abort() : route.continue(),
  );
  await page.goto(shop.url);
  await plays(page);
  await remote.fills(SIZE);
  await until('the page has the error', async () => {
    const [said] = await page.evaluate<string[]>('told');
    return /could not be loaded/.test(said ?? '');
  });
  blocked = false;
  const clicks = () => Number(remote.state['clicks'] ?? 0);
  await until('the page has a click', async () => {
    await page.locator('cloud-browser').click();
    return clicks() > 0;
  });
  const told = await page.evaluate(
    `document.querySelector('cloud-browser').client.clipboard.write({ text: 'x' }).catch(({ code }) => code)`,
  );
  assert.equal(told, 'err_unsupported');
  await page.close();
});

/** Waits until the element of a page shows pictures. */
function plays(page: Page): Promise<unknown> {
  return until('the element plays', () =>
    page.evaluate(`(({ state, stats }) => state === 'playing' && stats.framesPainted > 0)(
      document.querySelector('cloud-browser'))`),
  );
}
