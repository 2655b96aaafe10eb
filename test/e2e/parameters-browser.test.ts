import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { zip } from '../fakes/zip.js';
import { AnsweringServer } from './support/answering-server.js';
import { cleanUpAtEnd } from './support/cleanup.js';
import { PageServer } from './support/page-server.js';
import { Service, type Session } from './support/service.js';
import { until } from './support/until.js';
import type { Viewer } from './support/viewer.js';
import { launchBrowser, openViewer } from './support/viewers.js';

cleanUpAtEnd();
let service: Service;
let pages: PageServer;
let browser: Browser;
before(async () => {
  [service, pages, { browser }] = await Promise.all([Service.start(), PageServer.start(), launchBrowser()]);
});

/** Types into the hosted browser's address bar. */
async function typeAddress(viewer: Viewer, text: string): Promise<void> {
  await viewer.page.mouse.click(640, 400);
  await viewer.page.keyboard.press('Control+l');
  await viewer.page.keyboard.type(text);
}

describe('search_engine', () => {
  it('is what the address bar searches with, suggestions included', async () => {
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
    const viewer = await openViewer(browser, session);
    await typeAddress(viewer, 'blue whales');
    await until('suggestions are asked for', () => engine.requests.includes('/?s=blue+whales'));
    await viewer.page.keyboard.press('Enter');
    await results.loaded();
    assert.match(String(await results.run('location.search')), /&q=blue(\+|%20)whales$/);
    await viewer.close();
    await service.end(session);
  });

  for (const [name, host] of [
    ['duckduckgo', 'duckduckgo.com'],
    ['ecosia', 'www.ecosia.org'],
    ['google', 'www.google.com'],
    ['startpage', 'www.startpage.com'],
    ['brave', 'search.brave.com'],
  ] as const) {
    it(`${name} searches at ${host}`, async () => {
      const proxy = await AnsweringServer.start((_request, response) => void response.writeHead(502).end());
      const session = await service.create({
        kiosk: false,
        search_engine: name,
        http_proxy: { pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }` },
      });
      const viewer = await openViewer(browser, session);
      await typeAddress(viewer, 'blue whales\n');
      await until(`${host} is asked for`, () => proxy.requests.includes(`${host}:443`));
      await viewer.close();
      await service.end(session);
    });
  }
});

describe('a browser that nobody uses', () => {
  it('asks for nothing but its page', async () => {
    const proxy = await AnsweringServer.start((_request, response) => void response.writeHead(502).end());
    const page = pages.page('marker');
    const session = await service.create({
      start_url: page.url,
      http_proxy: { pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }` },
    });
    await page.loaded();
    // Chromium would call home within its first five seconds.
    await page.run('setTimeout(() => report({ event: "a while" }), 6000)');
    await page.event('a while');
    assert.deepEqual(proxy.requests, []);
    await service.end(session);
  });
});

describe('adblock', () => {
  const ads = [
    'http://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js',
    'http://securepubads.g.doubleclick.net/tag/js/gpt.js',
    'http://static.criteo.net/js/ld/ld.js',
    'http://cdn.taboola.com/libtrc/loader.js',
  ];
  const content = ['http://shop.example/app.js', 'http://cdn.shop.example/lib.js'];

  async function requestsOf(adblock: boolean): Promise<string[]> {
    const proxy = await AnsweringServer.start(({ url = '' }, response) => {
      response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
      const scripts = [...ads, ...content].map((address) => `<script src="${address}"></script>`);
      response.end(url === 'http://shop.example/' ? `${scripts.join('')}<img src="/end">` : '');
    });
    const session = await service.create({
      start_url: 'http://shop.example/',
      adblock,
      http_proxy: { pac: `function FindProxyForURL() { return 'PROXY ${proxy.address}'; }` },
    });
    await until('the page is loaded', () => proxy.requests.includes('http://shop.example/end'));
    await service.end(session);
    return proxy.requests;
  }

  it('blocks advertisements and trackers from the first page on, and leaves the rest alone', async () => {
    const requests = await requestsOf(true);
    for (const ad of ads) assert.ok(!requests.includes(ad), ad);
    for (const address of content) assert.ok(requests.includes(address), address);
  });

  it('is off unless asked for', async () => {
    const requests = await requestsOf(false);
    for (const address of [...ads, ...content]) assert.ok(requests.includes(address), address);
  });
});

describe('http_proxy', () => {
  it('carries pages, and is given its credentials without asking anybody', async () => {
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
});

describe('touch_gestures', () => {
  const scale = 'visualViewport.scale';

  async function pinch(viewer: Viewer): Promise<void> {
    const cdp = await viewer.cdp();
    const touch = (type: string, points: [number, number][]) =>
      cdp.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    await touch('touchStart', [
      [600, 400],
      [680, 400],
    ]);
    for (let spread = 10; spread <= 200; spread += 10) {
      await touch('touchMove', [
        [600 - spread, 400],
        [680 + spread, 400],
      ]);
    }
    await touch('touchEnd', []);
  }

  async function zoomAfterPinch(touchGestures: object | undefined): Promise<unknown> {
    const page = pages.page('touch');
    const session = await service.create({ start_url: page.url, touch_gestures: touchGestures });
    const viewer = await openViewer(browser, session, { hasTouch: true });
    await page.loaded();
    await page.run('addEventListener("touchend", () => report({ event: "let go" }))');
    await pinch(viewer);
    await page.event('let go');
    await viewer.atRest();
    const zoom = await page.run(scale);
    await viewer.close();
    await service.end(session);
    return zoom;
  }

  it('pinch zooms the page', async () => {
    assert.ok(Number(await zoomAfterPinch({ pinch: true })) > 1.5);
  });

  it('are off unless asked for', async () => {
    assert.equal(await zoomAfterPinch(undefined), 1);
  });
});

describe('extension', () => {
  it('runs its content script in the first page', async () => {
    const page = pages.page('marker');
    const form = new FormData();
    const wishes = { start_url: page.url, kiosk: true, extension: { field: 'archive' } };
    form.set('body', JSON.stringify(wishes));
    form.set('archive', new Blob([new Uint8Array(zip(MARKING_EXTENSION))]), 'extension.zip');
    const response = await fetch(`${service.url}/v0/vm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
    assert.equal(response.status, 200, await response.clone().text());
    const session = (await response.json()) as Session;
    await page.loaded();
    assert.equal(await page.run('document.documentElement.dataset.extension'), 'was here');
    await service.end(session);
  });
});

describe('bookmarks', () => {
  it('of a posted file are in the browser', async () => {
    const session = await service.create({ start_url: 'about:blank', kiosk: false });
    const target = pages.page('marker');
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF="${target.url}">A bookmark to open</A>\n</DL><p>`;
    const [base = ''] = session.embed_url.split('?');
    const viewer = await openViewer(browser, session);
    const response = await fetch(`${base}/bookmarks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.admin_token}`, 'content-type': 'text/html' },
      body: file,
    });
    assert.equal(response.status, 200, await response.text());
    await until('the address bar knows the bookmark', async () => {
      await typeAddress(viewer, 'A bookmark to open');
      await viewer.page.keyboard.press('ArrowDown');
      await viewer.page.keyboard.press('Enter');
      return until('the bookmark opens', () => target.loads > 0, 1_500).catch(() => false);
    });
    await viewer.close();
    await service.end(session);
  });
});

/** An extension that leaves its mark on every page. */
const MARKING_EXTENSION = [
  {
    name: 'manifest.json',
    content: JSON.stringify({
      manifest_version: 3,
      name: 'Marker',
      version: '1',
      content_scripts: [{ matches: ['<all_urls>'], js: ['js/mark.js'], run_at: 'document_start' }],
    }),
  },
  { name: 'js/mark.js', content: 'document.documentElement.dataset.extension = "was here";' },
];
