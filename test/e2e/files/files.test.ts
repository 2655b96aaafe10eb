import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askSession } from '../support/ask-session.js';
import { Guest } from '../support/file-guest.js';
import type { HostedPage } from '../support/hosted-page.js';
import { Service, type Session } from '../support/service.js';
import { sha256, someBytes, someFile } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Access to files must be right every time, so these tests are not retried.
test.describe.configure({ retries: 0 });
const [ONE, MANY, FOLDER, PRINT] = [
  [150, 25],
  [150, 85],
  [150, 145],
  [150, 365],
] as const;
const DROP = { x: 100, y: 230 };

for (const kiosk of [true, false]) {
  const tag = kiosk ? '@main' : [];
  test.describe(kiosk ? 'files in a kiosk' : 'files in tabs', () => {
    let session: Session;
    let remote: HostedPage;
    let guest: Guest;
    let top = 0;
    test.beforeAll(async ({ service, pages }) => {
      remote = pages.page('files');
      const size = { width: 800, height: 800 };
      const roles = ['control', 'file_upload', 'file_download'];
      session = await service.create({ start_url: remote.url, ...size, kiosk, default_roles: roles });
      await remote.loaded();
      guest = await Guest.enter(session);
      top = 800 - Number(await remote.run('innerHeight'));
    });
    const at = ([x, y]: readonly [number, number]) => [x, y + top] as const;

    // Proves: role file_upload
    test('reach the field that asked, with name, date and all bytes', { tag }, async () => {
      const chooser = await guest.asked(at(ONE));
      assert.deepEqual(
        { ...chooser, id: '' },
        { id: '', multiple: false, directory: false, accept: 'image/*,.txt', timeout: 300_000 },
      );
      await guest.client.files.upload({ chooser: chooser.id }, [someFile('büro.txt', 3_000_000)]);
      await remote.event('change one');
      const changed = Date.UTC(2020, 1, 2);
      assert.deepEqual(remote.state['one'], [
        { name: 'büro.txt', path: '', size: 3_000_000, changed, hash: sha256(someBytes(3_000_000)) },
      ]);
      assert.deepEqual(guest.closed, [chooser.id]);
    });

    test('reach a field that asked before its user listened', async () => {
      const { client, hands } = await Guest.silent(session);
      const [clicks, cancels] = [remote.count('click one'), remote.count('cancel one')];
      hands.click(...at(ONE));
      await remote.event('click one', clicks + 1);
      // The browser reports the field to the host before it answers the page's next request.
      await remote.run('1');
      const asked = new Promise<string>((resolve) => {
        void client.files.onChooser.addListener(({ id }) => resolve(id));
      });
      await client.files.upload({ chooser: await asked }, [someFile('late.txt', 10)]);
      await remote.event('change one');
      assert.equal(remote.count('cancel one'), cancels);
      client.disconnect();
    });

    test('arrive five at once, with equal names and with zero bytes too', async () => {
      const { id, multiple } = await guest.asked(at(MANY));
      assert.ok(multiple);
      const files = [
        someFile('a', 10),
        someFile('a', 700_000),
        someFile('b', 0),
        someFile('c', 5),
        someFile('d', 1_200_000),
      ];
      await guest.client.files.upload({ chooser: id }, files);
      await remote.event('change many');
      const seen = remote.state['many'] as { name: string; size: number; hash: string }[];
      assert.deepEqual(
        seen.map(({ name, size, hash }) => [name, size, hash]),
        files.map(({ name, size }) => [name, size, sha256(someBytes(size))]),
      );
    });

    test('arrive as a folder', async () => {
      const { id, directory } = await guest.asked(at(FOLDER));
      assert.ok(directory);
      const files = [someFile('a.txt', 10, 'photos'), someFile('b.txt', 20, 'photos/2026')];
      await guest.client.files.upload({ chooser: id }, files);
      await remote.event('change folder');
      const seen = remote.state['folder'] as { path: string }[];
      assert.deepEqual(seen.map(({ path }) => path).sort(), ['photos/2026/b.txt', 'photos/a.txt']);
    });

    test('can be dropped at a place of the page', async () => {
      const drop = { x: DROP.x, y: DROP.y + top };
      await guest.client.files.upload(drop, [someFile('x.bin', 5_000), someFile('in.txt', 9, 'folder')]);
      await remote.event('drop');
      const { isTrusted, at: place, folders, files } = remote.state['drop'] as Record<string, unknown>;
      assert.deepEqual([isTrusted, folders, place], [true, [false, true], [100, 50]]);
      assert.deepEqual((files as { hash: string }[])[0]?.hash, sha256(someBytes(5_000)));
    });

    test('send the page a cancel event if nobody chooses any', async () => {
      const { id } = await guest.asked(at(ONE));
      const cancels = remote.count('cancel one');
      await guest.client.files.cancel(id);
      await remote.event('cancel one', cancels + 1);
      await assert.rejects(guest.client.files.upload({ chooser: id }, [someFile('a', 1)]), {
        code: 'err_chooser_gone',
      });
    });

    // Proves: role file_download
    test('that pages offer arrive complete, several at once, under safe names', { tag }, async () => {
      await remote.run("offer('../../etc/passwd', 2000000); offer('b.bin', 100); offer('c', 0)");
      const [first, second] = await Promise.all([
        guest.downloaded('_.._etc_passwd'),
        guest.downloaded('b.bin'),
      ]);
      assert.deepEqual([first.state, first.size, second.state], ['done', 2_000_000, 'done']);
      const answer = await guest.fetch(first);
      assert.equal(answer.headers.get('content-disposition'), "attachment; filename*=UTF-8''_.._etc_passwd");
      assert.equal(answer.headers.get('content-length'), '2000000');
      assert.equal(sha256(new Uint8Array(await answer.arrayBuffer())), sha256(someBytes(2_000_000)));
      await guest.client.files.remove(first.id);
      await assert.rejects(guest.client.files.url(first.id), { code: 'err_download_gone' });
    });

    test('are created by printing, from the page or by its shortcut', async () => {
      guest.hands.click(...at(PRINT));
      const printed = await until('a page is printed', () =>
        [...guest.downloads.values()].find(({ kind, state }) => kind === 'print' && state === 'done'),
      );
      assert.equal(printed.name, 'Files .._ and “more”.pdf');
      const bytes = new Uint8Array(await (await guest.fetch(printed)).arrayBuffer());
      assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-');
      guest.hands.press('Control+KeyP');
      await until(
        'the page is printed again',
        () =>
          [...guest.downloads.values()].filter(({ kind, state }) => kind === 'print' && state === 'done')
            .length > 1,
      );
    });
  });
}

test.describe('files of users without the role', () => {
  let session: Session;
  let remote: HostedPage;
  test.beforeAll(async ({ service, pages }) => {
    remote = pages.page('files');
    session = await service.create({ start_url: remote.url, width: 800, height: 800 });
    await remote.loaded();
  });

  test('cannot be uploaded or downloaded, and the user gets an error', { tag: '@main' }, async () => {
    const guest = await Guest.enter(session);
    const notices: string[] = [];
    guest.client.on('notice', ({ kind }) => notices.push(kind));
    guest.hands.click(...ONE);
    await remote.event('cancel one');
    await remote.run("offer('a.bin', 10)");
    await until('both are refused', () => notices.length === 2);
    assert.deepEqual(notices.sort(), ['download-refused', 'upload-refused']);
    const { files, remote: calls } = guest.client;
    await assert.rejects(files.list(), { code: 'err_forbidden' });
    for (const [method, args] of [
      ['files.offer', [{ x: 1, y: 1 }, [{ name: 'a', size: 1 }]]],
      ['files.finish', ['x']],
      ['files.ticket', ['x']],
      ['files.remove', ['x']],
    ] as const)
      await assert.rejects(calls.forward(method, args), { code: 'err_forbidden' });
    assert.deepEqual([guest.choosers.length, guest.downloads.size], [0, 0]);
    guest.client.disconnect();
  });

  test('cannot be loaded by a ticket of another session, or after the role was removed', async ({
    service,
    pages,
  }) => {
    const page = pages.page('files');
    const roles = ['control', 'file_upload', 'file_download'];
    const size = { width: 800, height: 800 };
    const other = await service.create({ start_url: page.url, ...size, default_roles: roles });
    await page.loaded();
    const owner = await Guest.enter(other);
    await page.run("offer('secret.bin', 1000)");
    const url = await owner.client.files.url((await owner.downloaded('secret.bin')).id);
    const elsewhere = url.replace(new URL(other.embed_url).pathname, new URL(session.embed_url).pathname);
    assert.equal((await fetch(elsewhere)).status, 404);
    assert.equal((await fetch(url.replace(/.{43}$/, 'x'.repeat(43)))).status, 404);
    assert.equal((await fetch(url)).status, 200);
    // Removes the role through a backend, because a connection with the admin token may load every file.
    await askSession(other, 'POST', 'removeRoles', [[owner.client.userId], ['file_download']]);
    assert.equal((await fetch(url)).status, 403);
    await assert.rejects(owner.client.files.list(), { code: 'err_forbidden' });
    await askSession(other, 'POST', 'addRoles', [[owner.client.userId], ['file_download']]);
    assert.equal((await fetch(url)).status, 200);
    await service.end(other);
    assert.equal((await fetch(url)).status, 404);
  });
});

test('files and their limits are refused beyond the quota, cancelled on request, and removed with their session', async ({
  show,
}) => {
  const service = await Service.start({ MAX_FILE_MB: '2', SESSION_FILES_MB: '3' });
  const roles = ['control', 'file_upload', 'file_download'];
  const { remote, session } = await show('files', { width: 800, height: 800, default_roles: roles }, service);
  const guest = await Guest.enter(session);
  const { files } = guest.client;
  const MB = 2 ** 20;
  const { id } = await guest.asked(MANY);
  await assert.rejects(files.upload({ chooser: id }, [someFile('a', 2 * MB + 1)]), {
    code: 'err_file_too_large',
  });
  await files.upload({ chooser: id }, [someFile('a', 2 * MB)]);
  await remote.event('change many');
  const again = await guest.asked(MANY);
  await assert.rejects(files.upload({ chooser: again.id }, [someFile('b', 2 * MB)]), {
    code: 'err_file_quota',
  });
  await remote.run("offer('large.bin', 1500000)");
  const { state, failure } = await guest.downloaded('large.bin');
  assert.deepEqual([state, failure], ['failed', 'quota']);
  await remote.run("offer('small.bin', 500000)");
  assert.equal((await guest.downloaded('small.bin')).state, 'done');
  const run = join(service.directory, 'run');
  const kept = async () =>
    (await readdir(run, { recursive: true })).filter((name) => /(uploads|downloads)\/./.test(name));
  assert.ok((await kept()).length > 1);
  await service.end(session);
  assert.deepEqual(await kept(), []);
  await service.process.stop();
});

test('a masked field for files accepts files only from users with the role, however its chooser is opened', async ({
  show,
}) => {
  const masks = [{ matches: ['*://*/*'], selectors: ['.secret'] }];
  const { remote, session } = await show('files', {
    ...{ width: 800, height: 800, field_masking: masks },
    default_roles: ['control', 'file_upload'],
  });
  const guest = await Guest.enter(session);
  const notices: string[] = [];
  guest.client.on('notice', ({ kind }) => notices.push(kind));
  guest.hands.click(150, 545);
  await remote.event('cancel secret');
  assert.deepEqual([guest.choosers.length, notices.includes('field-masked')], [0, true]);
  const admin = { adminToken: session.admin_token };
  await guest.client.remote.call('addRoles', [[guest.client.userId ?? ''], ['field_masking']], admin);
  const { id } = await guest.asked([150, 545]);
  await guest.client.files.upload({ chooser: id }, [someFile('a.txt', 5)]);
  await remote.event('change secret');
});
