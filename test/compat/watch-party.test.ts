import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { AnsweringServer } from '../e2e/support/answering-server.js';
import { CustomerSite } from './support/customer-site.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Tickets of guests: a string, a number, a boolean, an array and an object. */
const TICKETS = ['ticket-7', 42, true, ['ticket', 7], { ticket: 7 }];

test.describe('a watch party', () => {
  // Proves: answer user_id, userdata to the endpoint that decides; option webhookUserdata
  test("admits each guest by the page's user data, whatever JSON it is", async ({ browser, service }) => {
    const asked: unknown[] = [];
    const endpoint = await AnsweringServer.start((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        asked.push((JSON.parse(body) as { userdata: unknown }).userdata);
        response.end('{"authorized":true}');
      });
    });
    const auth = { type: 'webhook', value: { url: endpoint.url, bearer: 'secret' } };
    const session = await service.create({ start_url: 'about:blank', auth, ...SIZE });
    const site = await CustomerSite.start();
    for (const userdata of TICKETS) {
      const guest = await site.open(browser, 'party', session.embed_url, { userdata });
      await guest.ready();
      await guest.press('call', 'destroy');
    }
    const guest = await site.open(browser, 'party', session.embed_url);
    await guest.ready();
    // A page that has lost its connection sends another request.
    const inTurn = asked.filter((each, nth) => nth === 0 || !isDeepStrictEqual(each, asked[nth - 1]));
    assert.deepEqual(inTurn, [...TICKETS, {}]);
    await service.end(session);
  });

  // Proves: role control; role chrome_apis; role resize; role cursor_data; option adminToken; client resize
  // Proves: client setPermissions; client addRoles; client removeRoles; client enablePrivacyMode
  // Proves: client disablePrivacyMode
  test('is controlled by its host, whose calls all return true', async ({ browser, service, pages }) => {
    const remote = pages.page('typing');
    const session = await service.create({ start_url: remote.url, max_area: 1280 * 720, ...SIZE });
    const site = await CustomerSite.start();
    const host = await site.open(browser, 'party', session.embed_url, { adminToken: session.admin_token });
    const guest = await site.open(browser, 'party', session.embed_url);
    await Promise.all([host.ready(), guest.ready()]);
    const guestId = await guest.tells<string>('userId', Boolean);
    const permissions = { priority: 1, idle_timeout: 1_000, control_disabled: false };
    const steps: [method: string, ...args: unknown[]][] = [
      ['setPermissions', guestId, permissions],
      ['addRoles', [guestId], ['cursor_data']],
      ['removeRoles', [guestId], ['resize']],
      ['resize', 800, 600],
      ['enablePrivacyMode'],
      ['disablePrivacyMode'],
    ];
    for (const [method, ...args] of steps)
      assert.equal(await host.press('call', method, ...args), true, method);
    assert.match(String(await guest.press('call', 'resize', 640, 480)), /^failed: /);
    assert.match(String(await guest.press('call', 'addRoles', [guestId], ['resize'])), /^failed: /);
    assert.deepEqual(await guest.tells<string[]>('states', () => true), ['connecting', 'playing']);

    await host.page.mouse.move(320, 240);
    await host.page.mouse.move(300, 200);
    const [cursor] = await guest.tells<Record<string, unknown>[]>('cursors', ({ length }) => length > 0);
    assert.equal(cursor?.['userId'], await host.tells('userId', Boolean));

    assert.equal(await host.press('tab', pages.page('marker').url), true);
    await guest.tells<string[]>('titles', (titles) => titles.includes('Marker'));

    const [base = ''] = session.embed_url.split('?');
    const headers = { authorization: `Bearer ${session.admin_token}` };
    await fetch(`${base}/users/${guestId}`, { method: 'DELETE', headers });
    assert.equal(await guest.tells('disconnected', Boolean), 'kicked');
    assert.deepEqual([...host.complaints, ...guest.complaints], []);
    await service.end(session);
  });
});
