import assert from 'node:assert/strict';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();

test.describe('a wall-mounted screen', () => {
  // Proves: option onConnectionStateChange
  test('shows a kiosk that nobody can control, and shows it again after the connection was lost', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('typing');
    const session = await service.create({ start_url: remote.url, kiosk: true, width: 640, height: 480 });
    await remote.loaded();
    const site = await CustomerSite.start();
    const wall = await site.open(browser, 'signage', session.embed_url);
    await wall.ready();
    await wall.tells('played', Boolean);
    await wall.page.mouse.click(320, 240);
    await wall.page.keyboard.type('nobody is here');
    await wall.press('reconnect');
    await wall.tells<string[]>(
      'states',
      (states) => states.join(' ') === 'connecting playing reconnecting playing',
    );
    // Any typed text would have arrived before this.
    assert.equal(await remote.run('one.value'), '');
    assert.deepEqual(wall.complaints, []);
    await service.end(session);
    assert.equal(await wall.tells('disconnected', Boolean), 'request');
  });
});
