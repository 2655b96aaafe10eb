import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { psnr } from '../support/psnr.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';

cleanUpAtEnd();
test.describe('creating a session', () => {
  test('answers 200 with the id, the embed URL and the admin token', async ({ service }) => {
    const { status, body } = await service.request('POST', '/v0/vm', { start_url: 'about:blank' });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['admin_token', 'embed_url', 'session_id']);
    await service.request('DELETE', `/v0/vm/${String(body['session_id'])}`);
  });

  // Proves: start_url; width; height
  test(
    'shows the page at its embed URL with exact pixels at an odd size',
    { tag: '@main' },
    async ({ service, pages, watch }) => {
      const marker = pages.page('marker');
      const size = { width: 1108, height: 831 };
      const session = await service.create({ start_url: marker.url, ...size });
      const viewer = await watch(session, { viewport: size });
      await viewer.shows([20, 120, 220], 10, 10);
      await viewer.shows([220, 60, 30], 1108 - 3, 831 - 3);
      assert.deepEqual(await viewer.size(), size);
      await marker.fills(size);
      await viewer.close();
      await service.end(session);
    },
  );

  test('shows a static text page like a local browser', async ({ service, pages, browser, watch }) => {
    const text = pages.page('text');
    const size = { width: 1280, height: 720 };
    const session = await service.create({ start_url: text.url, ...size });
    const viewer = await watch(session, { viewport: size });
    await text.fills(size);
    await viewer.atRest();
    const remote = await viewer.picture();

    const local = await browser.newPage({ viewport: size });
    await local.goto(pages.page('text').url);
    const wanted = PNG.sync.read(await local.screenshot());
    await local.close();

    const ratio = psnr(remote, wanted);
    note(`PSNR ${ratio.toFixed(1)} dB`);
    assert.ok(ratio >= 38, `${ratio.toFixed(1)} dB`);
    await viewer.close();
    await service.end(session);
  });
});
