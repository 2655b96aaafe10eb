import assert from 'node:assert/strict';
import type { HostedPage } from '../e2e/support/hosted-page.js';
import type { Session } from '../e2e/support/service.js';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
let session: Session;
let remote: HostedPage;
test.beforeAll(async ({ service, pages }) => {
  remote = pages.page('typing');
  session = await service.create({ start_url: remote.url, kiosk: true, ...SIZE });
  await remote.loaded();
});

test.describe('the first public clients', () => {
  for (const place of ['element', 'iframe']) {
    const tag = place === 'element' ? '@main' : [];
    // Proves: option shotCb; client screenshot; page: an iframe as the client's element
    test(
      `control a session in an ${place} and take a screenshot of its page`,
      { tag },
      async ({ browser }) => {
        const site = await CustomerSite.start();
        const options = { place, adminToken: session.admin_token };
        const customer = await site.open(browser, 'first-client', session.embed_url, options);
        await customer.ready();
        const userId = await customer.tells('userId', Boolean);
        assert.equal(await customer.press('call', 'setPermissions', userId, { priority: 1 }), true);
        await remote.run('one.value = ""; one.focus()');
        await customer.press('type', 'hi');
        await remote.until('it is typed', (state) => state['text'] === 'hi');
        assert.deepEqual(await customer.press('shoot'), { ofTab: true, type: 'image/png', ...SIZE });
        await customer.press('destroy');
        assert.deepEqual(customer.complaints, []);
      },
    );
  }
});
