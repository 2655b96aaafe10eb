import assert from 'node:assert/strict';
import { onlyProcess, SESSION_HOST } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

// Proves: tag
test('a tag gives 8 simultaneous creates the same session, and each client can use it', async ({
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
