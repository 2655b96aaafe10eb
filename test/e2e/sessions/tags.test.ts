import assert from 'node:assert/strict';
import { onlyProcess, SESSION_HOST } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

test.describe('a tag', () => {
  // Proves: tag
  test('gives 8 simultaneous creates the same session, and each client can use it', async ({
    service,
    pages,
  }) => {
    const page = pages.page('marker');
    const parameters = { start_url: page.url, tag: 'shared', ...SIZE };
    const sessions = await Promise.all(Array.from({ length: 8 }, () => service.create(parameters)));
    assert.equal(new Set(sessions.map((session) => JSON.stringify(session))).size, 1);
    assert.ok(onlyProcess(service.pid, SESSION_HOST));
    const { body } = await service.request('GET', '/v0/vm');
    assert.deepEqual(
      (body['results'] as { id: string; tag: string }[]).map(({ id, tag }) => [id, tag]),
      [[sessions[0]?.session_id, 'shared']],
    );

    await page.fills(SIZE);
    const viewers = await Promise.all(sessions.map((session) => RawViewer.open(session)));
    assert.equal(new Set(viewers.map((viewer) => viewer.welcome?.userId)).size, sessions.length);
    assert.equal(page.loads, 1);
  });

  test('can be used again after its session has ended', async ({ service, pages }) => {
    const parameters = { start_url: pages.page('marker').url, tag: 'again', ...SIZE };
    const first = await service.create(parameters);
    assert.deepEqual(await service.create(parameters), first);
    await service.end(first);
    const second = await service.create(parameters);
    assert.notEqual(second.session_id, first.session_id);
    await service.end(second);
  });
});
