import assert from 'node:assert/strict';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { until } from '../e2e/support/until.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();
/** Policy of an extension's sandboxed page, as its manifest sets it for this client. */
const POLICY =
  "sandbox allow-scripts allow-forms allow-popups allow-modals; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; child-src 'self'";

test.describe('a sandboxed page of an extension', () => {
  // Proves: page: a tight Content-Security-Policy
  test('shows a session, accepts input and queries tabs', async ({ browser, service, pages }) => {
    const remote = pages.page('typing');
    const session = await service.create({ start_url: remote.url, kiosk: true, width: 640, height: 480 });
    await remote.loaded();
    const site = await CustomerSite.start({ 'content-security-policy': POLICY });
    const boxed = await site.open(browser, 'boxed', session.embed_url);
    await boxed.ready();
    assert.equal(await boxed.tells('origin', Boolean), 'null');
    assert.equal(await boxed.tells('tab', Boolean), remote.url);
    await remote.run('one.focus()');
    await boxed.page.mouse.click(200, 100);
    await boxed.page.keyboard.type('in a box');
    await remote.until('it is typed', (state) => state['text'] === 'in a box');
    await until('the pointer has a shape', async () =>
      String(await boxed.press('cursor')).startsWith('url("blob:'),
    );
    assert.deepEqual(boxed.complaints, []);
    await service.end(session);
  });
});
