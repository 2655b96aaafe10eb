import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { zip } from '../../fakes/zip.js';
import { openAddress, openBySuggestion, typeAddress } from '../support/address-bar.js';
import { AnsweringServer } from '../support/answering-server.js';
import { askSession } from '../support/ask-session.js';
import type { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
let service: Service;
test.beforeAll(async ({ service: sharedService }) => {
  service = sharedService;
});

test.describe('search_engine', () => {
  // Proves: search_engine, as an object, and suggestions; search_engine
  test('is used by the address bar, including its suggestions', async ({ pages, watch }) => {
    const engine = await AnsweringServer.start((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([new URL(request.url ?? '', 'http://engine').searchParams.get('s'), []]));
    });
    const results = pages.page('marker');
    const session = await service.create({
      start_url: 'about:blank',
      kiosk: false,
      search_engine: {
        name: 'Test',
        keyword: 'test',
        url: `${results.url}&q={searchTerms}`,
        suggestions_url: `${engine.url}/?s={searchTerms}`,
      },
    });
    const viewer = await watch(session);
    const isAsked = () => engine.requests.includes('/?s=blue+whales');
    // Keys that are typed while the window opens may be lost.
    await until('suggestions are asked for', async () => {
      await typeAddress(viewer, 'blue whales');
      return until('the engine is asked', isAsked, 5_000).catch(() => false);
    });
    await viewer.page.keyboard.press('Enter');
    await results.loaded();
    assert.match(String(await results.run('location.search')), /&q=blue(\+|%20)whales$/);
    await service.end(session);
  });

  for (const [name, host] of [
    ['duckduckgo', 'duckduckgo.com'],
    ['ecosia', 'www.ecosia.org'],
    ['google', 'www.google.com'],
    ['startpage', 'www.startpage.com'],
    ['brave', 'search.brave.com'],
  ] as const) {
    // Proves: search_engine, by name
    test(`${name} searches at ${host}`, async ({ watch }) => {
      const proxy = await AnsweringServer.start((_request, response) => void response.writeHead(502).end());
      const session = await service.create({
        kiosk: false,
        search_engine: name,
        http_proxy: { pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }` },
      });
      const viewer = await watch(session);
      await openAddress(viewer, 'blue whales', () => proxy.requests.includes(`${host}:443`));
      await service.end(session);
    });
  }
});

test('a browser without users requests nothing except its page', async ({ show }) => {
  const proxy = await AnsweringServer.start((_request, response) => void response.writeHead(502).end());
  const pac = `function FindProxyForURL(url) { return url.startsWith('http://127.0.0.1') ? 'DIRECT' : 'PROXY ${proxy.address}'; }`;
  const { remote: page } = await show('marker', { http_proxy: { pac } });
  // Chromium would contact its vendor's servers within its first five seconds.
  await page.run('setTimeout(() => report({ event: "a while" }), 6000)');
  await page.event('a while');
  assert.deepEqual(proxy.requests, []);
});

test.describe('adblock', () => {
  const ads = [
    'http://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js',
    'http://securepubads.g.doubleclick.net/tag/js/gpt.js',
    'http://static.criteo.net/js/ld/ld.js',
    'http://cdn.taboola.com/libtrc/loader.js',
  ];
  const content = ['http://shop.example/app.js', 'http://cdn.shop.example/lib.js'];

  async function requestsOf(parameters: object): Promise<string[]> {
    const proxy = await AnsweringServer.start(({ url = '' }, response) => {
      response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
      const scripts = [...ads, ...content].map((address) => `<script src="${address}"></script>`);
      response.end(url === 'http://shop.example/' ? `${scripts.join('')}<img src="/end">` : '');
    });
    const session = await service.create({
      start_url: 'http://shop.example/',
      ...parameters,
      http_proxy: { pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }` },
    });
    await until('the page is loaded', () => proxy.requests.includes('http://shop.example/end'));
    await service.end(session);
    return proxy.requests;
  }

  for (const name of ['adblock', 'ublock']) {
    // Proves: adblock; ublock
    test(`blocks advertisements and trackers from the first page on, and nothing else: ${name}`, async () => {
      const requests = await requestsOf({ [name]: true });
      for (const ad of ads) assert.ok(!requests.includes(ad), ad);
      for (const address of content) assert.ok(requests.includes(address), address);
    });
  }

  test('is off by default', async () => {
    const requests = await requestsOf({});
    for (const address of [...ads, ...content]) assert.ok(requests.includes(address), address);
  });
});

// Proves: http_proxy
test('http_proxy serves all pages, and receives its credentials without a question to users', async () => {
  const expected = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  const proxy = await AnsweringServer.start((request, response) => {
    if (request.headers['proxy-authorization'] === expected) response.end('<title>Proxied</title>');
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end();
    if (request.headers['proxy-authorization'] === expected) carried.push(request.url ?? '');
  });
  const carried: string[] = [];
  const session = await service.create({
    start_url: 'http://proxied.example/',
    http_proxy: {
      pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }`,
      username: 'me',
      password: 'secret',
    },
  });
  await until('the page comes through the proxy', () => carried.includes('http://proxied.example/'));
  await service.end(session);
});

test.describe('extension', () => {
  // Proves: extension.field
  test('runs its content script in the first page', { tag: '@main' }, async ({ pages }) => {
    const page = pages.page('marker');
    const session = await service.createWith(MARKING_EXTENSION, { start_url: page.url, kiosk: true });
    await page.loaded();
    await until('the content script has run', async () => {
      return (await page.run('document.documentElement.dataset.extension')) === 'was here';
    });
    await service.end(session);
  });

  // Proves: extension.field
  test('has its icon in the toolbar', async ({ watch }) => {
    const session = await service.createWith(MARKING_EXTENSION, { start_url: 'about:blank', kiosk: false });
    const viewer = await watch(session);
    await until('the icon is seen above the page', async () => {
      const { width, data } = await viewer.picture();
      const isIcon = (x: number, y: number) =>
        [255, 0, 255].every((part, index) => Math.abs((data[(y * width + x) * 4 + index] ?? 0) - part) < 60);
      const places = Array.from({ length: width * TOOLBAR_BOTTOM }, (_, at) => at);
      return places.filter((at) => isIcon(at % width, Math.floor(at / width))).length > 50;
    });
    await service.end(session);
  });
});

// Proves: POST {session}/bookmarks
test('bookmarks of a posted file are in the browser', async ({ pages, watch }) => {
  const session = await service.create({ start_url: 'about:blank', kiosk: false });
  const target = pages.page('marker');
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="${target.url}">A bookmark to open</A>\n</DL><p>`;
  const viewer = await watch(session);
  await askSession(session, 'POST', 'bookmarks', file, { 'content-type': 'text/html' });
  await openBySuggestion(viewer, 'A bookmark to open', () => target.loads > 0);
  await service.end(session);
});

/** Below tabs and toolbar, in pixels of the screen. */
const TOOLBAR_BOTTOM = 90;

/** An extension that leaves its mark on every page, and has an icon of one colour. */
const MARKING_EXTENSION = zip([
  {
    name: 'manifest.json',
    content: JSON.stringify({
      manifest_version: 3,
      name: 'Marker',
      version: '1',
      icons: { 16: 'icon.png' },
      action: { default_icon: 'icon.png' },
      content_scripts: [{ matches: ['<all_urls>'], js: ['js/mark.js'], run_at: 'document_start' }],
    }),
  },
  { name: 'icon.png', content: PNG.sync.write(magenta()) },
  { name: 'js/mark.js', content: 'document.documentElement.dataset.extension = "was here";' },
]);

function magenta(): PNG {
  const icon = new PNG({ width: 16, height: 16 });
  icon.data.fill(Buffer.from([255, 0, 255, 255]));
  return icon;
}
