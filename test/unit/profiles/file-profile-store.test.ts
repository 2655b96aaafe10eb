import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { HostPlace } from '../../../server/src/host-protocol.js';
import { FileProfileStore } from '../../../server/src/profiles/file-profile-store.js';
import { ServiceError } from '../../../server/src/service-error.js';

const KEY = createHash('sha256').update('key').digest();
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const SAVER = fileURLToPath(new URL('saver.ts', import.meta.url));
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloud-browser-profiles-'));
});
after(() => rm(root, { recursive: true, force: true }));

let places = 0;
async function emptyPlace(): Promise<HostPlace> {
  const directory = join(root, `place${++places}`);
  await mkdir(directory);
  return { directory, extensions: '' };
}

async function placeWith(files: Record<string, string>): Promise<HostPlace> {
  const place = await emptyPlace();
  for (const [path, content] of Object.entries(files)) {
    const target = join(place.directory, 'browser', 'profile', path);
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, content);
  }
  return place;
}

const read = (place: HostPlace, path: string) =>
  readFile(join(place.directory, 'browser', 'profile', path), 'utf8');

const refusedAs = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

describe('profiles', () => {
  it('come back as they were saved, without caches', async () => {
    const store = await FileProfileStore.open(join(root, 'state1'), KEY, log);
    const files = { 'Local State': '{}', 'Default/Cookies': 'a cookie', 'Default/Code Cache/js': 'cached' };
    await store.save(ID, await placeWith(files));
    const place = await emptyPlace();
    await store.load(ID, place);
    assert.equal(await read(place, 'Default/Cookies'), 'a cookie');
    assert.equal(await read(place, 'Local State'), '{}');
    await assert.rejects(read(place, 'Default/Code Cache/js'));
  });

  it('that do not exist are refused', async () => {
    const store = await FileProfileStore.open(join(root, 'state2'), KEY, log);
    await assert.rejects(store.load(ID, await emptyPlace()), refusedAs('err_profile_not_found'));
  });

  it('that are damaged are refused, and nothing of them is written', async () => {
    const store = await FileProfileStore.open(join(root, 'state3'), KEY, log);
    await store.save(ID, await placeWith({ 'Default/Cookies': 'a cookie' }));
    const path = join(root, 'state3', 'profiles', `${ID}.profile`);
    const sealed = await readFile(path);
    sealed[sealed.length >> 1] = (sealed[sealed.length >> 1] ?? 0) ^ 1;
    await writeFile(path, sealed);
    const place = await emptyPlace();
    await assert.rejects(store.load(ID, place), refusedAs('err_profile_unreadable'));
    assert.deepEqual(await readdir(place.directory), []);
  });

  it('of another service are refused', async () => {
    const foreign = await FileProfileStore.open(join(root, 'state4'), createHash('sha256').digest(), log);
    await foreign.save(ID, await placeWith({ 'Default/Cookies': 'a cookie' }));
    const store = await FileProfileStore.open(join(root, 'state4'), KEY, log);
    await assert.rejects(store.load(ID, await emptyPlace()), refusedAs('err_profile_unreadable'));
  });

  it('hold what a link points to for nobody', async () => {
    const store = await FileProfileStore.open(join(root, 'state5'), KEY, log);
    const outside = join(root, 'outside');
    await writeFile(outside, 'not the session’s');
    const place = await placeWith({ 'Local State': '{}' });
    await symlink(outside, join(place.directory, 'browser', 'profile', 'link'));
    await store.save(ID, place);
    await rm(outside);
    const loaded = await emptyPlace();
    await store.load(ID, loaded);
    await assert.rejects(read(loaded, 'link'), { code: 'ENOENT' });
  });

  it('are the old or the new one after a kill at any moment of 50 saves', async (test) => {
    const saver = await builtSaver();
    const stateDir = join(root, 'state6');
    let last = 0;
    for (let kill = 1; kill <= 50; kill++) {
      const { directory } = await emptyPlace();
      const saved = await savesUntilKilled(
        [saver, stateDir, directory, ID],
        randomInt(1, 3),
        randomInt(0, 25),
      );
      const store = await FileProfileStore.open(stateDir, KEY, log);
      const place = await emptyPlace();
      await store.load(ID, place);
      const content = await read(place, 'content');
      const [round = ''] = content.split('\n', 1);
      assert.equal(content, `${round}\n`.repeat(50_000), 'whole');
      assert.ok(Number(round) === saved || Number(round) === saved + 1, `${round} after ${saved} saves`);
      assert.deepEqual(await readdir(join(stateDir, 'profiles')), [`${ID}.profile`]);
      last += saved;
    }
    test.diagnostic(`${last} saves were told as done`);
  });
});

/** `saver.ts` in one file of JavaScript: 50 processes that each compiled it would take minutes on a busy machine. */
async function builtSaver(): Promise<string> {
  const outDir = join(root, 'saver');
  const output = { entryFileNames: 'saver.mjs' };
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: SAVER, outDir, rolldownOptions: { output } },
  });
  return join(outDir, 'saver.mjs');
}

/** Starts to save over and over, kills some milliseconds after this many saves, and returns how many were told as done. */
async function savesUntilKilled(command: string[], saves: number, delay: number): Promise<number> {
  const saver = spawn(process.execPath, command);
  let saved = 0;
  for await (const line of createInterface({ input: saver.stdout })) {
    saved = Number(line);
    if (saved === saves) setTimeout(() => saver.kill('SIGKILL'), delay);
  }
  if (saver.exitCode === null && saver.signalCode === null) await once(saver, 'exit');
  return saved;
}
