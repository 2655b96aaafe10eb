import assert from 'node:assert/strict';
import { GuardedService } from '../support/guarded-service.js';
import type { HostedPage } from '../support/hosted-page.js';
import { listeningPorts } from '../support/listeners.js';
import { descendants, EGRESS, namespaceOf } from '../support/processes.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0, timeout: 180_000 });

let guarded: GuardedService;
let session: Session;
let page: HostedPage;

test.beforeAll(async ({ pages }) => {
  page = pages.page('marker');
  guarded = await GuardedService.start(undefined, [new URL(page.url).host]);
  session = await guarded.service.create({ start_url: page.url, width: 800, height: 600 });
  await page.loaded();
});

test('a session continues after its egress process was killed', async () => {
  const { service, open } = guarded;
  const egress = () => descendants(service.pid).find(({ command }) => EGRESS.test(command));
  const first = egress();
  assert.ok(first);
  process.kill(first.pid, 'SIGKILL');
  await until('the page opens', async () => {
    await service.show(session, `http://127.0.0.1:${open.port}/after`);
    return open.has('/after');
  });
  assert.notEqual(egress()?.pid, first.pid);
  await guarded.refuses('the next one', ['loopback'], () =>
    service.show(session, `http://127.0.0.1:${guarded.closedPort}/`),
  );
});

// Proves: hosted pages reach public addresses only
test('no process of the browser is in the network of this machine', () => {
  const { pid: servicePid } = guarded.service;
  const all = descendants(servicePid).filter(({ command }) => /\/chromium\/chromium /.test(command));
  assert.ok(all.length > 3);
  for (const { pid, command } of all)
    assert.notEqual(namespaceOf(pid, 'net'), namespaceOf(servicePid, 'net'), command);
});

test('the display, window manager and sound server of a browser have no network', () => {
  const all = descendants(guarded.service.pid);
  for (const program of [/^\S*\/Xorg /, /^openbox /, /^pulseaudio /]) {
    const found = all.filter(({ command }) => program.test(command));
    assert.ok(found.length > 0, String(program));
    for (const { pid, command } of found) {
      assert.notEqual(namespaceOf(pid, 'net'), namespaceOf(guarded.service.pid, 'net'), command);
      assert.deepEqual(listeningPorts(pid), [], command);
    }
  }
});
