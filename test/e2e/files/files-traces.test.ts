import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnsweringServer } from '../support/answering-server.js';
import { Guest } from '../support/file-guest.js';
import { Service, type Session } from '../support/service.js';
import { someFile } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const MANY = [150, 85] as const;
const ROLES = ['control', 'file_upload', 'file_download'];
const MB = 2 ** 20;

/** Returns the files below a directory that contain these words. */
async function filesWith(words: string, directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found: string[] = [];
  for (const file of files) {
    // A running browser creates and removes files all the time.
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    if (content.includes(words)) found.push(file);
  }
  return found;
}

test.describe('of the files of a session', () => {
  let service: Service;
  test.beforeAll(async () => {
    service = await Service.start();
  });
  const open = (url: string): Promise<Session> =>
    service.create({ start_url: url, width: 800, height: 800, default_roles: ROLES });
  const kept = async () =>
    (await readdir(join(service.directory, 'run'), { recursive: true })).filter((name) =>
      /(uploads|downloads|prints)\/./.test(name),
    );

  test('nothing is left on the disk after the session', async ({ pages }) => {
    const remote = pages.page('files');
    const session = await open(remote.url);
    await remote.loaded();
    const guest = await Guest.enter(session);
    const words = `secret ${randomUUID()}`;
    const content = new Blob([words]);
    const { id } = await guest.asked(MANY);
    const slice = (start: number, end: number) => content.slice(start, end);
    await guest.client.files.upload({ chooser: id }, [{ name: 'a.txt', size: content.size, slice }]);
    await remote.event('change many');
    await remote.run(`{
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([${JSON.stringify(words)}]));
      link.download = 'b.txt';
      link.click();
    }`);
    assert.equal(await (await guest.fetch(await guest.downloaded('b.txt'))).text(), words);
    assert.ok((await filesWith(words, service.directory)).length >= 2);
    await service.end(session);
    assert.deepEqual(await filesWith(words, service.directory), []);
    assert.deepEqual(await kept(), []);
  });

  test('names with relative and absolute paths do not lead out of the directory', async ({ pages }) => {
    const remote = pages.page('files');
    const session = await open(remote.url);
    await remote.loaded();
    const guest = await Guest.enter(session);
    const { id } = await guest.asked(MANY);
    const names = ['../../../escaped.txt', '/tmp/escaped.txt', '..\\escaped.txt', '..', 'escaped\u0000.txt'];
    const words = names.map((name) => someFile(name, 10));
    await guest.client.files.upload({ chooser: id }, words);
    await remote.event('change many');
    const seen = (remote.state['many'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(seen, ['escaped.txt', 'escaped.txt', 'escaped.txt', 'file', 'escaped_.txt']);
    const where = await readdir(service.directory, { recursive: true });
    const uploaded = where.filter((name) => name.includes('escaped'));
    assert.equal(uploaded.length, 4);
    assert.deepEqual(
      uploaded.filter((name) => !/uploads\/[\w-]{36}\/\d\/escaped_?\.txt$/.test(name)),
      [],
    );
    await assert.rejects(readFile('/tmp/escaped.txt'), { code: 'ENOENT' });
    await service.end(session);
  });

  test('nothing remains of cancelled uploads and downloads', async ({ pages }) => {
    const remote = pages.page('files');
    const session = await open(remote.url);
    await remote.loaded();
    const guest = await Guest.enter(session);
    const { files } = guest.client;

    const { id } = await guest.asked(MANY);
    const abort = new AbortController();
    const options = { signal: abort.signal, onProgress: () => abort.abort() };
    await assert.rejects(files.upload({ chooser: id }, [someFile('a', 20 * MB)], options));
    await remote.event('cancel many');

    let closed = false;
    const slow = await AnsweringServer.start((_request, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, {
        'content-disposition': 'attachment; filename="slow.bin"',
        'content-length': 5 * MB,
      });
      response.write(Buffer.alloc(MB));
    });
    await remote.run(`location.href = ${JSON.stringify(`${slow.url}/slow`)}`);
    const running = await until('a part of it is here', () =>
      [...guest.downloads.values()].find(({ received }) => received > 0),
    );
    assert.deepEqual([running.name, running.state, running.size], ['slow.bin', 'running', 5 * MB]);
    await files.cancel(running.id);
    assert.equal((await guest.downloaded('slow.bin')).state, 'cancelled');
    await assert.rejects(files.url(running.id), { code: 'err_download_gone' });
    await until('the browser has ended it', () => closed);
    await until('nothing is left of either', async () => (await kept()).length === 0);
    await service.end(session);
  });
});
