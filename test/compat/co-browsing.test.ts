import assert from 'node:assert/strict';
import type { HostedPage } from '../e2e/support/hosted-page.js';
import { cleanUpAtEnd, test } from '../e2e/support/test.js';
import { until } from '../e2e/support/until.js';
import { CustomerSite, type CustomerPage } from './support/customer-site.js';

test.describe.configure({ retries: 0 });
cleanUpAtEnd();
/** Fields of the hosted page: one that every user may write into, and a masked one. */
const FREE = [170, 35] as const;
const MASKED = [170, 75] as const;
const CARD = '4111 1111';
/** On a busy machine input may be refused, because its target was not known in time. */
const RETRY_AFTER_MS = 2_000;

async function write({ page }: CustomerPage, place: readonly [number, number], text: string): Promise<void> {
  await page.mouse.click(...place);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Resolves when a text is in the free field. All earlier input has then arrived. */
async function writeFreely(person: CustomerPage, remote: HostedPage, text: string): Promise<void> {
  await until('the text is in the free field', async () => {
    await write(person, FREE, text);
    const isThere = () => remote.state['free'] === text;
    return until('it is', isThere, RETRY_AFTER_MS).catch(() => false);
  });
}

test.describe('an agent who helps a visitor with a form', () => {
  // Proves: field_masking; role field_masking
  test('can write into ordinary fields, and never into a masked field', async ({
    browser,
    service,
    pages,
  }) => {
    const remote = pages.page('masked');
    const session = await service.create({
      start_url: remote.url,
      kiosk: true,
      width: 640,
      height: 480,
      field_masking: [{ matches: ['http://127.0.0.1/*'], selectors: ['.secret'] }],
    });
    await remote.loaded();
    const card = () => remote.run('document.getElementById("plain").value');
    const site = await CustomerSite.start();
    const agent = await site.open(browser, 'party', session.embed_url, { adminToken: session.admin_token });
    const visitor = await site.open(browser, 'party', session.embed_url);
    await Promise.all([agent.ready(), visitor.ready()]);
    const visitorId = await visitor.tells<string>('userId', Boolean);
    assert.equal(await agent.press('call', 'addRoles', [visitorId], ['field_masking']), true);

    await write(agent, MASKED, 'of the agent');
    await writeFreely(agent, remote, 'your name here');
    assert.equal(await card(), '');
    await until('the visitor has written the number', async () => {
      await write(visitor, MASKED, CARD);
      return until('it is there', async () => (await card()) === CARD, RETRY_AFTER_MS).catch(() => false);
    });
    await write(agent, MASKED, 'of the agent');
    await writeFreely(agent, remote, 'thank you');
    assert.equal(await card(), CARD);

    assert.equal(await agent.press('call', 'removeRoles', [visitorId], ['field_masking']), true);
    await write(visitor, MASKED, 'too late');
    await writeFreely(visitor, remote, 'done');
    assert.equal(await card(), CARD);
    assert.deepEqual([...agent.complaints, ...visitor.complaints], []);
    await service.end(session);
  });
});
