import assert from 'node:assert/strict';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { until } from '../e2e/support/until.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();
const TONE_HZ = 440;

test.describe('a page that analyses the sound', () => {
  // Proves: option audioTrackCb
  test('gets one track, detects the sound that is played, and then silence', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('tone');
    const session = await service.create({ start_url: remote.url, width: 640, height: 480 });
    const customer = await (await CustomerSite.start()).open(browser, 'sound', session.embed_url);
    await customer.ready();
    await remote.loaded();
    await until('a click reaches the page', async () => {
      // A click before the first picture has no position on it.
      await customer.page.mouse.click(320, 240);
      return remote.count('click') > 0;
    });
    await remote.run(`play(${TONE_HZ})`);
    await customer.tells<number>('frequency', (frequency) => Math.abs(frequency - TONE_HZ) < 10);
    await remote.run('stop()');
    await customer.tells<number>('frequency', (frequency) => frequency === 0);
    assert.deepEqual(await customer.tells('tracks', Array.isArray), ['audio']);
    assert.deepEqual(customer.complaints, []);
    await service.end(session);
  });
});
