import assert from 'node:assert/strict';
import { hold } from '../../support/limits.js';
import { descendants, processes, sessionProcesses, stillAlive } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
const CLOSED_BY_REQUEST = 4000;
const CRASHED = 4007;

let service: Service;
test.beforeAll(async () => {
  service = await Service.start();
});

/**
 * Asserts that no process runs as one of the user ids of this file's sessions. The egress process of another
 * service has another user id.
 */
const noSessionLives = () => processes().every(({ uid }) => !Service.isOfSession(uid));

test.describe('a deleted session', () => {
  // Proves: the end of a session
  test('sends its viewers the reason and leaves no process', { tag: '@main' }, async ({ pages, watch }) => {
    const session = await service.create({ start_url: pages.page('marker').url, ...SIZE });
    const viewer = await watch(session, { viewport: SIZE });
    const probe = await RawViewer.open(session);
    const parts = sessionProcesses(service.pid);
    await service.end(session);
    assert.equal(stillAlive(parts).length, 0);
    const closed = await until('the connection is closed', () => probe.closed);
    assert.equal(closed.code, CLOSED_BY_REQUEST);
    await until('the viewer has ended', async () => (await viewer.state()) === 'closed');
    await viewer.close();
  });
});

test.describe('a service that ends', () => {
  // Proves: records survive restarts and kills
  test(
    'by SIGKILL leaves no process, and restarts cleanly in the same directory',
    { tag: '@timing' },
    async ({ pages }) => {
      const { directory } = service;
      const sessions = [
        await service.create({ start_url: pages.page('marker').url, ...SIZE }),
        await service.create({ start_url: pages.page('motion').url, ...SIZE }),
      ];
      for (const session of sessions) await RawViewer.open(session);
      const parts = descendants(service.pid);
      assert.ok(parts.length > 10, 'there is something to leave behind');

      const killed = performance.now();
      process.kill(service.pid, 'SIGKILL');
      await until('nothing of the sessions lives', () => stillAlive(parts).length === 0);
      hold('nothing is left of a service that was killed', performance.now() - killed);
      assert.ok(noSessionLives());

      service = await Service.startIn(directory);
      for (const session of sessions) {
        const view = await service.view(session);
        assert.deepEqual([view['state'], view['termination_reason']], ['ended', 'crashed']);
      }
      const marker = pages.page('marker');
      const session = await service.create({ start_url: marker.url, ...SIZE });
      await marker.fills(SIZE);
      await service.end(session);
    },
  );

  test('by SIGTERM ends its sessions, notifies their viewers and exits with 0', async ({ pages }) => {
    const marker = pages.page('marker');
    const session = await service.create({ start_url: marker.url, ...SIZE });
    const probe = await RawViewer.open(session);
    await marker.fills(SIZE);
    const parts = descendants(service.pid);
    process.kill(service.pid, 'SIGTERM');
    const { code } = await service.process.exited;
    assert.equal(code, 0);
    assert.equal(stillAlive(parts).length, 0);
    assert.ok(noSessionLives());
    const closed = await until('the connection is closed', () => probe.closed);
    assert.ok(closed.code >= CLOSED_BY_REQUEST && closed.code !== CRASHED, `code ${closed.code}`);
  });
});
