import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { typeAddress } from '../support/address-bar.js';
import { askSession } from '../support/ask-session.js';
import { knock } from '../support/display-access.js';
import type { HostedPage } from '../support/hosted-page.js';
import { listeningPorts } from '../support/listeners.js';
import {
  CHROMIUM_MAIN,
  descendants,
  namespaceOf,
  onlyProcess,
  SESSION_HOST,
  XORG,
} from '../support/processes.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const STRANGER = 65_534;
const BLUE = [20, 120, 220] as const;
const FILE_COLOUR = [200, 0, 100] as const;
/** Without root all sessions share the service's user, and only namespaces keep them apart. */
const needsRoot = () => test.skip(process.getuid?.() !== 0, 'only root gives each session a user of its own');
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0 });

interface Tab {
  url: string;
  title: string;
  status: string;
}

let session: Session;
let remote: HostedPage;
let viewer: Viewer;
test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('marker');
  const size = { width: 800, height: 600 };
  session = await service.create({ start_url: remote.url, ...size, kiosk: false });
  viewer = await openViewer(browser, session, { viewport: size });
  await remote.loaded();
});

test.describe('a hosted page', () => {
  test("runs under its own seccomp filter, in namespaces separate from its browser's", ({ service }) => {
    const browser = onlyProcess(service.pid, CHROMIUM_MAIN);
    const renderers = descendants(service.pid).filter(({ command }) => /\s--type=renderer\s/.test(command));
    assert.ok(renderers.length > 0);
    for (const { pid, field } of renderers) {
      assert.ok(Number(field('Seccomp_filters')) > Number(browser.field('Seccomp_filters')));
      assert.equal(field('NoNewPrivs'), '1');
      for (const kind of ['user', 'pid', 'net'] as const) {
        assert.notEqual(namespaceOf(pid, kind), namespaceOf(browser.pid, kind), kind);
      }
    }
  });

  test('cannot be a file or an internal page of the browser', async ({ service }) => {
    for (const address of ['file:///etc/passwd', 'chrome://version', 'view-source:http://example.com']) {
      const { status, body } = await service.request('POST', '/v0/vm', { start_url: address });
      assert.equal(status, 400, address);
      assert.equal(body['code'], 'err_invalid_parameter');
    }
  });

  test('cannot open a dialog that lists files of the server', async () => {
    await remote.run(`{
      const input = document.body.appendChild(document.createElement('input'));
      input.type = 'file';
      input.style = 'position: fixed; inset: 0; width: 100%; height: 100%; background: rgb(${BLUE.join(', ')})';
      reportEvents(input, ['click', 'cancel']);
    }`);
    await viewer.page.mouse.click(400, 300);
    await remote.event('click');
    await remote.event('cancel');
    await remote.run("document.querySelector('input').remove()");
  });

  test("cannot be a file when a user types the file's address", async ({ service }) => {
    needsRoot();
    // This file lies in the browser's own home, so file permissions alone would let the browser read it.
    const file = join(service.directory, 'run', '0', 'browser', 'seen.html');
    const page = `<body style="background: rgb(${FILE_COLOUR.join(' ')})">`;
    await writeFile(file, page, { mode: 0o644 });
    await viewer.shows(BLUE, 400, 300);
    await typeAddress(viewer, 'file:///home/browser/seen.html\n');
    await viewer.leaves(BLUE, 400, 300);
    await viewer.atRest();
    const seen = await viewer.colour(400, 300);
    const differences = seen.map((value, index) => Math.abs(value - (FILE_COLOUR[index] ?? 0)));
    assert.ok(Math.max(...differences) > 40, `the file's colour is on the screen: ${seen.join(' ')}`);
  });
});

/** An address that had no effect within this time is typed again. */
const TYPE_INTERVAL_MS = 5_000;

test.describe('a typed address', () => {
  for (const [address, real] of [
    ['chrome://version', /About Version/],
    ['chrome://settings', /Settings/],
  ] as const) {
    test(`opens no internal page of the browser: ${address}`, async () => {
      const scheme = address.slice(0, address.indexOf(':'));
      let typed = -Infinity;
      const title = await until(`the tab has been to ${address}`, async () => {
        // On a busy machine the address bar may not have the focus yet when the first letter arrives.
        if (performance.now() - typed > TYPE_INTERVAL_MS) {
          await typeAddress(viewer, `${address}\n`);
          typed = performance.now();
        }
        const tabs = (await askSession(session, 'POST', 'tabs.query', [{ active: true }])) as Tab[];
        const [tab] = tabs;
        return tab?.url.startsWith(scheme) && tab.status === 'complete' && (tab.title || 'none');
      });
      assert.doesNotMatch(title, real);
    });
  }
});

test.describe('a session', () => {
  test('listens on no TCP port: only the service does', ({ service }) => {
    needsRoot();
    for (const { pid, command } of descendants(service.pid)) {
      assert.deepEqual(listeningPorts(pid), [], command);
    }
    assert.deepEqual(listeningPorts(service.pid), [Number(new URL(service.url).port)]);
  });

  test('runs as its own user, including its host', ({ service }) => {
    needsRoot();
    for (const { uid, command } of descendants(service.pid)) assert.ok(Service.ownsUid(uid), command);
    assert.notEqual(onlyProcess(service.pid, SESSION_HOST).uid, 0);
  });

  test('has a display that no other user can connect to', async ({ service }) => {
    needsRoot();
    const xorg = onlyProcess(service.pid, XORG);
    const authority = /-auth (\S+)/.exec(xorg.command)?.[1] ?? '';
    // The cookie is the last part of the file's one entry.
    const cookie = (await readFile(authority)).subarray(-16).toString('hex');
    const socket = join(dirname(authority), 'sockets', 'X0');
    assert.equal(await knock(socket, STRANGER), 'EACCES');
    assert.equal(await knock(socket, xorg.uid), 'refused');
    assert.equal(await knock(socket, xorg.uid, '00'.repeat(16)), 'refused');
    assert.equal(await knock(socket, xorg.uid, cookie), 'admitted');
  });
});
