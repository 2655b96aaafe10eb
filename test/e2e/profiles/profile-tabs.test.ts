import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tabs } from '../../../src/core/index.js';
import { hold } from '../../support/limits.js';
import { askSession } from '../support/ask-session.js';
import { connectClient } from '../support/sdk-client.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** Sessions one after the other; `SESSIONS_ON_PROFILE=5` shows more of them. */
const SESSIONS = Number(process.env['SESSIONS_ON_PROFILE'] ?? 3);
const EVENTS = ['onCreated', 'onUpdated', 'onActivated', 'onRemoved'] as const;

let service: Service;
test.beforeAll(async () => {
  service = await Service.start();
});

test.describe('each of several sessions on one profile', { tag: '@timing' }, () => {
  // Proves: profile and tabs, session after session
  test('answers its first call for tabs at once, reports every event and loses no data', async ({
    pages,
  }) => {
    const [first, second] = [pages.page('marker'), pages.page('marker')];
    let profile: string | undefined;
    for (let number = 1; number <= SESSIONS; number++) {
      const session = await service.create({
        kiosk: false,
        ...(profile === undefined ? { start_url: first.url, profile: true } : { profile }),
      });
      await first.loaded(number);
      if (profile !== undefined) await second.loaded(number);
      profile ??= session.session_id;
      const client = await connectClient(session);
      const begun = performance.now();
      const before = await client.tabs.query({});
      const took = performance.now() - begun;
      hold('first call for tabs of a session on a profile', took, `session ${number}`);

      const kept = [first.url, ...(number > 1 ? [second.url] : [])];
      assert.deepEqual(before.map(({ url }) => url).sort(), kept.sort());
      assert.deepEqual(
        await bookmarks(),
        Array.from({ length: number - 1 }, (_, index) => title(index + 1)),
      );
      assert.equal(await first.run('document.cookie'), number > 1 ? `visits=${number - 1}` : '');

      const told = await recordAll(client.tabs);
      await first.run(`document.cookie = "visits=${number}; max-age=86400"`);
      await askSession(session, 'POST', 'bookmarks', bookmark(number), { 'content-type': 'text/html' });
      if (number === 1) {
        await client.tabs.create({ url: second.url });
        await second.loaded();
      }
      const passing = await client.tabs.create({ url: 'about:blank' });
      // A tab that is removed at once may never be updated.
      await until('onUpdated is told', () => told.get('onUpdated'));
      await client.tabs.remove(passing.id ?? 0);
      for (const event of EVENTS) await until(`${event} is told`, () => told.get(event));
      await until('the bookmark is there', async () => (await bookmarks()).includes(title(number)));
      assert.equal((await askTabs(session)).length, 2);
      client.disconnect();
      await service.end(session);
    }
  });
});

/** Counts each event from now on. */
async function recordAll(tabs: Tabs): Promise<Map<string, number>> {
  const told = new Map<string, number>();
  for (const event of EVENTS) {
    const count = () => told.set(event, (told.get(event) ?? 0) + 1);
    await tabs[event].addListener(count);
  }
  return told;
}

const title = (number: number) => `Kept ${number}`;
const bookmark = (number: number) =>
  `<DL><DT><A HREF="https://example.com/${number}">${title(number)}</A></DL>`;

const askTabs = async (session: Session) =>
  (await askSession(session, 'POST', 'tabs.query', [{}])) as unknown[];

/** The titles of the bookmarks that the browser of the one session keeps, in their order. */
async function bookmarks(): Promise<string[]> {
  const run = join(service.directory, 'run');
  const files = (await readdir(run, { recursive: true })).filter((path) =>
    path.endsWith('/Default/Bookmarks'),
  );
  const [path] = files;
  if (path === undefined) return [];
  const text = await readFile(join(run, path), 'utf8');
  return [...text.matchAll(/"name": "(Kept \d+)"/g)].map(([, name = '']) => name);
}
