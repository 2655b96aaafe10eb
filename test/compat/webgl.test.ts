import assert from 'node:assert/strict';
import { STRICT } from '../support/limits.js';
import { cleanUpAtEnd, note, test } from '../e2e/support/test.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Enough frames to show each of the page's pictures several times. */
const FRAMES = STRICT ? 500 : 150;

interface Facts {
  uploads: number;
  black: number;
  errors: string[];
}

test.describe('a scene with textures', () => {
  // Proves: option frameCb
  test('has no black frame when frames are uploaded at once, one or two animation frames late, or kept', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('motion');
    const session = await service.create({ start_url: remote.url, kiosk: true, fps: 60, ...SIZE });
    await remote.loaded();
    const site = await CustomerSite.start();
    const scene = await site.open(browser, 'webgl', session.embed_url);
    await scene.ready();
    const seen: Record<string, Facts> = {};
    for (const way of ['immediate', 'next', 'late'])
      seen[way] = await scene.tells<Facts>(
        way,
        (facts) => facts.errors.length > 0 || facts.uploads >= FRAMES,
      );
    for (const [way, { uploads, black, errors }] of Object.entries(seen)) {
      note(`${way}: ${uploads} uploads, ${black} black`);
      assert.deepEqual([errors.slice(0, 3), black], [[], 0], way);
    }
    assert.deepEqual(await scene.tells('kept', Array.isArray), [SIZE.width, SIZE.height]);
    const restored = (await scene.press('restore')) as Facts;
    assert.deepEqual(restored, { uploads: 1, black: 0, errors: [] });
    assert.deepEqual(scene.complaints, []);
    await service.end(session);
  });
});
