import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { PNG } from 'pngjs';
import { cleanUpAtEnd } from './support/cleanup.js';
import { PageServer } from './support/page-server.js';
import { psnr } from './support/psnr.js';
import type { Service } from './support/service.js';
import { sharedBrowser, sharedService } from './support/shared.js';
import { openViewer } from './support/viewers.js';

cleanUpAtEnd();
let service: Service;
let pages: PageServer;
let browser: Browser;
before(async () => {
  [service, pages, browser] = await Promise.all([sharedService(), PageServer.start(), sharedBrowser()]);
});

describe('creating a session', () => {
  it('answers 200 with id, embed URL and admin token', async () => {
    const { status, body } = await service.request('POST', '/v0/vm', { start_url: 'about:blank' });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['admin_token', 'embed_url', 'session_id']);
    await service.request('DELETE', `/v0/vm/${String(body['session_id'])}`);
  });

  it('shows the page at its embed URL, exact to the pixel at an odd size', async () => {
    const marker = pages.page('marker');
    const size = { width: 1108, height: 831 };
    const session = await service.create({ start_url: marker.url, ...size });
    const viewer = await openViewer(browser, session, { viewport: size });
    await viewer.shows([20, 120, 220], 10, 10);
    await viewer.shows([220, 60, 30], 1108 - 3, 831 - 3);
    assert.deepEqual(await viewer.size(), size);
    await marker.fills(size);
    await viewer.close();
    await service.end(session);
  });

  it('shows a text page at rest as a local browser does', async (test) => {
    const text = pages.page('text');
    const size = { width: 1280, height: 720 };
    const session = await service.create({ start_url: text.url, ...size });
    const viewer = await openViewer(browser, session, { viewport: size });
    await text.fills(size);
    await viewer.atRest();
    const remote = await viewer.picture();

    const local = await browser.newPage({ viewport: size });
    await local.goto(pages.page('text').url);
    const wanted = PNG.sync.read(await local.screenshot());
    await local.close();

    const ratio = psnr(remote, wanted);
    test.diagnostic(`PSNR ${ratio.toFixed(1)} dB`);
    assert.ok(ratio >= 38, `${ratio.toFixed(1)} dB`);
    await viewer.close();
    await service.end(session);
  });
});
