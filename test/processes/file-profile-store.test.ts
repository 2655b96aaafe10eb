import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createCipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { viteBuild } from '../fakes/vite-build.js';
import type { HostPlace } from '../../server/src/host-protocol.js';
import { FileProfileStore } from '../../server/src/profiles/file-profile-store.js';
import type { ArchiveTools } from '../../server/src/profiles/profile-archive.js';
import { STALLED_LOOKS } from '../../server/src/profiles/watched-tool.js';
import { systemClock } from '../../server/src/platform/time/clock.js';
import { WATCH_INTERVAL_MS } from '../../server/src/platform/process/watchdog.js';
import { PlaceCleanup } from '../../server/src/pool/place-cleanup.js';
import { Places } from '../../server/src/pool/places.js';
import { ServiceError } from '../../server/src/service-error.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { placesIn } from '../fakes/places-in.js';

const KEY = createHash('sha256').update('key').digest();
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SAVER = fileURLToPath(new URL('saver.ts', import.meta.url));
/** Only root can mount a separate small file system. */
const needsRoot = { skip: process.getuid?.() !== 0 && 'needs root' };
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloud-browser-profiles-'));
});
after(() => rm(root, { recursive: true, force: true }));

const openStore = (
  stateDir: string,
  key: Uint8Array = KEY,
  maxBytes = 2 ** 30,
  tools: Partial<ArchiveTools> = {},
) => FileProfileStore.open({ stateDir, key, maxBytes, log, clock: systemClock, ...tools });

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

describe('stored profiles', () => {
  it('are restored as saved, without caches and service workers with cached scripts', async () => {
    const store = await openStore(join(root, 'state1'));
    const leftOut = ['Default/Code Cache/js', 'Default/Service Worker/Database/LOG'] as const;
    const files = {
      'Local State': '{}',
      'Default/Cookies': 'a cookie',
      [leftOut[0]]: 'x',
      [leftOut[1]]: 'x',
    };
    await store.save(ID, await placeWith(files));
    const place = await emptyPlace();
    await store.load(ID, place);
    assert.equal(await read(place, 'Default/Cookies'), 'a cookie');
    assert.equal(await read(place, 'Local State'), '{}');
    for (const path of leftOut) await assert.rejects(read(place, path));
  });

  it('that do not exist are refused', async () => {
    const store = await openStore(join(root, 'state2'));
    await assert.rejects(store.load(ID, await emptyPlace()), refusedAs('err_profile_not_found'));
  });

  it('that are damaged are refused, without writing any file', async () => {
    const store = await openStore(join(root, 'state3'));
    await store.save(ID, await placeWith({ 'Default/Cookies': 'a cookie' }));
    const path = join(root, 'state3', 'profiles', `${ID}.profile`);
    const sealed = await readFile(path);
    sealed[sealed.length >> 1] = (sealed[sealed.length >> 1] ?? 0) ^ 1;
    await writeFile(path, sealed);
    const place = await emptyPlace();
    await assert.rejects(store.load(ID, place), refusedAs('err_profile_unreadable'));
    assert.deepEqual(await readdir(place.directory), []);
  });

  // Proves: profiles are sealed, damaged or foreign ones are refused
  it('of another service are refused', async () => {
    const foreign = await openStore(join(root, 'state4'), createHash('sha256').digest());
    await foreign.save(ID, await placeWith({ 'Default/Cookies': 'a cookie' }));
    const store = await openStore(join(root, 'state4'));
    await assert.rejects(store.load(ID, await emptyPlace()), refusedAs('err_profile_unreadable'));
  });

  it('do not include the target of a link', async () => {
    const store = await openStore(join(root, 'state5'));
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

  it('are not read through a link in their place', async () => {
    const store = await openStore(join(root, 'state8'));
    const outside = join(root, 'outside8');
    await mkdir(outside);
    await writeFile(join(outside, 'secret'), 'not the session’s');
    const place = await emptyPlace();
    await mkdir(join(place.directory, 'browser'));
    await symlink(outside, join(place.directory, 'browser', 'profile'));
    await assert.rejects(store.save(ID, place), { code: 'err_profile_archive' });
    await assert.rejects(store.load(ID, await emptyPlace()), refusedAs('err_profile_not_found'));
  });

  it('of the first format can still be opened, damaged ones write no file', async () => {
    const state = join(root, 'state7');
    const store = await openStore(state);
    const tar = spawnSync('tar', [
      '-c',
      '-C',
      join((await placeWith({ a: 'first' })).directory, 'browser/profile'),
      '.',
    ]);
    const sealed = sealedAsFirst(gzipSync(tar.stdout), ID);
    const path = join(state, 'profiles', `${ID}.profile`);
    await writeFile(path, sealed);
    const place = await emptyPlace();
    await store.load(ID, place);
    assert.equal(await read(place, 'a'), 'first');
    for (const at of [0, 30, 50, sealed.length - 1]) {
      const damaged = Buffer.from(sealed);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await writeFile(path, damaged);
      const untouched = await emptyPlace();
      await assert.rejects(store.load(ID, untouched), refusedAs('err_profile_unreadable'));
      assert.deepEqual(await readdir(untouched.directory), []);
    }
  });

  it('above the size limit are not saved, and the old profile stays', async () => {
    const state = join(root, 'state8');
    await (await openStore(state)).save(ID, await placeWith({ a: 'old' }));
    const store = await openStore(state, KEY, 100_000);
    const large = await placeWith({ a: randomBytes(100_000).toString('hex') });
    await assert.rejects(store.save(ID, large), { code: 'err_profile_too_large' });
    assert.deepEqual(await readdir(join(state, 'profiles')), [`${ID}.profile`]);
    const place = await emptyPlace();
    await store.load(ID, place);
    assert.equal(await read(place, 'a'), 'old');
  });

  it('that cannot be read completely are not saved, and the old profile stays', async () => {
    const state = join(root, 'state9');
    const store = await openStore(state);
    await store.save(ID, await placeWith({ a: 'old' }));
    const place = await emptyPlace();
    await mkdir(join(place.directory, 'browser'));
    await writeFile(join(place.directory, 'browser', 'profile'), 'not a directory');
    await assert.rejects(store.save(ID, place), { code: 'err_profile_archive' });
    assert.deepEqual(await readdir(join(state, 'profiles')), [`${ID}.profile`]);
  });

  // Proves: profiles that cannot be saved are reported, kept and tried again
  it('leave no files on a full disk, and the old profile stays', needsRoot, async () => {
    const state = join(root, 'state10');
    await mkdir(state);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', state]);
    try {
      const store = await openStore(state);
      await store.save(ID, await placeWith({ a: 'old' }));
      const large = await placeWith({ a: randomBytes(2_000_000).toString('base64') });
      await assert.rejects(store.save(ID, large), { code: 'ENOSPC' });
      assert.deepEqual(await readdir(join(state, 'profiles')), [`${ID}.profile`]);
      const place = await emptyPlace();
      await store.load(ID, place);
      assert.equal(await read(place, 'a'), 'old');
    } finally {
      execFileSync('umount', [state]);
    }
  });

  describe('whose tar process hangs', () => {
    /** A `tar` that reports its start, runs the script, and ends with the test of its store. */
    async function hangingTar(name: string, script: string) {
      const [tar, began] = [join(root, `tar-${name}`), join(root, `began-${name}`)];
      await writeFile(
        tar,
        `#!/bin/sh\n${script}\necho $$ > ${began}.new\nmv ${began}.new ${began}\nkill -STOP $$\n`,
      );
      await chmod(tar, 0o755);
      const clock = new ManualClock();
      const runs = async () => {
        for (;;) {
          const text = await readFile(began, 'utf8').catch(() => undefined);
          if (text !== undefined) return Number(text);
          await turn();
        }
      };
      return { tools: { clock, tar }, clock, runs };
    }

    /** Advances by a number of checks or until a condition holds. */
    async function looks(clock: ManualClock, count: number, until = () => false): Promise<void> {
      for (let look = 0; look < count && !until(); look++) {
        clock.advance(WATCH_INTERVAL_MS);
        await turn();
      }
    }

    async function isGone(pid: number): Promise<void> {
      for (;;) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        if (!/^State:\s+[^ZX]/m.test(status)) return;
        await turn();
      }
    }

    for (const [how, script] of [
      ['at once', ''],
      ['in the middle', 'head -c 100000 /dev/zero'],
    ] as const) {
      it(`${how} are given up after 30 s during a save, and the old profile stays`, async () => {
        const state = join(root, `state11-${how}`);
        await (await openStore(state)).save(ID, await placeWith({ a: 'old' }));
        const { tools, clock, runs } = await hangingTar(`save-${how.replaceAll(' ', '-')}`, script);
        const store = await openStore(state, KEY, 2 ** 30, tools);
        const failures: unknown[] = [];
        const saving = store
          .save(ID, await placeWith({ a: 'new' }))
          .catch((error: unknown) => failures.push(error));
        const pid = await runs();
        await looks(clock, STALLED_LOOKS);
        assert.equal(failures.length, 0);
        await looks(clock, Infinity, () => failures.length > 0);
        await saving;
        const [failed] = failures;
        assert.ok(failed instanceof Error && 'code' in failed);
        assert.equal(failed.code, 'err_profile_archive');
        await isGone(pid);
        assert.deepEqual(await readdir(join(state, 'profiles')), [`${ID}.profile`]);
        const place = await emptyPlace();
        await (await openStore(state)).load(ID, place);
        assert.equal(await read(place, 'a'), 'old');
      });
    }

    it('are given up after 30 s during a load', async () => {
      const state = join(root, 'state12');
      // More than the pipe to the program can hold.
      const content = randomBytes(300_000).toString('hex');
      await (await openStore(state)).save(ID, await placeWith({ a: content }));
      const { tools, clock, runs } = await hangingTar('load', 'head -c 100000 > /dev/null');
      const store = await openStore(state, KEY, 2 ** 30, tools);
      const failures: unknown[] = [];
      const loading = store.load(ID, await emptyPlace()).catch((error: unknown) => failures.push(error));
      const pid = await runs();
      await looks(clock, STALLED_LOOKS);
      assert.equal(failures.length, 0);
      await looks(clock, Infinity, () => failures.length > 0);
      await loading;
      const [failed] = failures;
      assert.ok(failed instanceof Error && 'code' in failed);
      assert.equal(failed.code, 'err_profile_archive');
      await isGone(pid);
    });
  });

  // Proves: profiles are replaced whole
  it('survive a kill at any of 50 moments, and the last one is saved at the next start', async (test) => {
    const saver = await builtSaver();
    const [stateDir, runtimeDir] = [join(root, 'state6'), join(root, 'run6')];
    let [next, taken] = [1, 0];
    for (let kill = 1; kill <= 50; kill++) {
      const written = await leftByKilled([saver, stateDir, runtimeDir, ID, String(next)], randomInt(0, 25));
      const store = await openStore(stateDir);
      const [old] = await contentOf(store).catch((error: unknown) => {
        if (refusedAs('err_profile_not_found')(error)) return [next - 1];
        throw error;
      });
      assert.ok(old >= written - 1 && old <= written + 1, `${old} when ${written} was to be saved`);

      const places = await Places.open(runtimeDir, undefined, stateDir);
      const cleanup = new PlaceCleanup(places, systemClock, log);
      for (const { place, workingCopy } of places.unsaved()) {
        taken++;
        const run = store.save.bind(store, workingCopy.profile);
        const save = { workingCopy, run, failed: () => 'later' as const };
        cleanup.recover(place, save);
      }
      await cleanup.close();
      const [round, whole] = await contentOf(store);
      assert.ok(whole);
      assert.ok(round === written || round === written + 1, `${round} after ${written} was to be saved`);
      assert.deepEqual(await readdir(join(stateDir, 'profiles')), [`${ID}.profile`]);
      assert.deepEqual(await placesIn(runtimeDir), []);
      next = round + 1;
    }
    test.diagnostic(`${next} profiles were left, ${taken} of them to the next start`);
  });
});

/** Returns the round of a stored profile, and true if it is complete. */
async function contentOf(store: FileProfileStore): Promise<[round: number, whole: boolean]> {
  const place = await emptyPlace();
  await store.load(ID, place);
  const content = await read(place, 'content');
  const [round = ''] = content.split('\n', 1);
  return [Number(round), content === `${round}\n`.repeat(50_000)];
}

/** A profile in the first format, which is sealed in one piece. */
function sealedAsFirst(packed: Buffer, id: string): Buffer {
  const magic = Buffer.from('cloud-browser profile 1\n');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', KEY, nonce).setAAD(Buffer.concat([magic, Buffer.from(id)]));
  const body = [cipher.update(packed), cipher.final()];
  return Buffer.concat([magic, nonce, ...body, cipher.getAuthTag()]);
}

/**
 * Bundles `saver.ts` into one JavaScript file. To compile it in each of 50 processes would take minutes on a
 * busy machine.
 */
async function builtSaver(): Promise<string> {
  // The directory with this project's packages.
  const outDir = join(ROOT, '.build', `saver-${process.pid}`);
  after(() => rm(outDir, { recursive: true, force: true }));
  const output = { entryFileNames: 'saver.mjs' };
  await viteBuild({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: SAVER, outDir, rolldownOptions: { output } },
  });
  return join(outDir, 'saver.mjs');
}

/** Kills the saver some milliseconds after a few rounds. Returns the last round that it reported. */
async function leftByKilled(command: string[], delay: number): Promise<number> {
  const saver = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const rounds = randomInt(1, 4);
  let [told, last] = [0, 0];
  for await (const line of createInterface({ input: saver.stdout })) {
    last = Number(line);
    if (++told === rounds) setTimeout(() => saver.kill('SIGKILL'), delay);
  }
  if (saver.exitCode === null && saver.signalCode === null) await once(saver, 'exit');
  return last;
}
