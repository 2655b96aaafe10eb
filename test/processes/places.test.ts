import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { acquireLock, shareLock } from '../../server/src/platform/files/file-lock.js';
import { removeTree } from '../../server/src/platform/files/remove-tree.js';
import { Places, UID_LOCKS } from '../../server/src/pool/places.js';
import { processesNaming, processesOf } from '../../server/src/pool/processes.js';
import { RuntimeDirectoryError } from '../../server/src/pool/runtime-directory.js';
import { workingCopyOf } from '../fakes/working-copy.js';
import { placesIn } from '../fakes/places-in.js';

const isRoot = process.getuid?.() === 0;
const rootOnly = { skip: !isRoot && 'needs user ids of its own' };
/** Ids are taken machine-wide. Another run of these tests must not conflict. */
const UID_BASE = 10_000_000 + process.pid * 1_000;

let base: string;
let root: string;
const sleepers: ChildProcess[] = [];
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cloud-browser-places-'));
  await chmod(base, 0o711);
  root = join(base, 'run');
});
afterEach(() => {
  for (const child of sleepers.splice(0)) child.kill('SIGKILL');
  return removeTree(base);
});

const open = (keeper = '/state') => Places.open(root, isRoot ? UID_BASE : undefined, keeper);

/** A process that runs with a user id until it is killed, or until the end of its test. */
async function sleeper(uid: number) {
  const child = spawn('sleep', ['600'], { uid, gid: uid, stdio: 'ignore', detached: true, cwd: '/' });
  sleepers.push(child);
  await once(child, 'spawn');
  return child;
}

describe('places', () => {
  it('each have a directory that only their host can use', async () => {
    const places = await open();
    const [one, two] = await Promise.all([places.take(), places.take()]);
    assert.ok(one && two);
    assert.notEqual(one.directory, two.directory);
    const found = await stat(one.directory);
    assert.equal(found.mode & 0o777, 0o700);
    if (isRoot) {
      assert.deepEqual([one.uid, one.gid, two.uid], [UID_BASE, UID_BASE, UID_BASE + 1]);
      assert.equal(found.uid, UID_BASE);
      assert.equal((await stat(root)).mode & 0o777, 0o711);
    }
    await Promise.all([places.release(one), places.release(two)]);
    assert.deepEqual(await placesIn(root), []);
  });

  it('that cannot be cleaned stay taken until they can, also for the next service', rootOnly, async () => {
    const before = await open();
    const place = await before.take();
    assert.ok(place);
    const busy = join(place.directory, 'mounted');
    await mkdir(busy);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', busy]);
    let next: Places;
    try {
      await assert.rejects(before.release(place), /busy/);
      const other = await before.take();
      assert.ok(other);
      assert.notEqual(other.directory, place.directory);
      await before.release(other);
      before.abandon(place);
      next = await open();
      assert.deepEqual(next.unclean(), [place]);
    } finally {
      execFileSync('umount', [busy]);
    }
    await next.release(place);
    assert.deepEqual(await placesIn(root), []);
  });

  it('keep unsaved profiles for the service that owns the state', async () => {
    const before = await open();
    const [kept, plain] = await Promise.all([before.take(), before.take()]);
    assert.ok(kept && plain);
    await before.keep(kept, workingCopyOf('a-profile'));
    await writeFile(join(kept.directory, 'file'), 'kept');
    for (const place of [kept, plain]) before.abandon(place);

    const stranger = await open('/another-state');
    assert.deepEqual(stranger.unsaved(), []);
    const next = await open();
    const [left, ...more] = next.unsaved();
    assert.deepEqual([left?.workingCopy, more], [workingCopyOf('a-profile'), []]);
    assert.ok(left);
    assert.equal(left.place.directory, kept.directory);
    assert.equal(left.place.uid, kept.uid);
    assert.equal(await readFile(join(left.place.directory, 'file'), 'utf8'), 'kept');
    const other = await next.take();
    assert.ok(other);
    assert.notEqual(other.directory, kept.directory);
    assert.deepEqual(next.unsaved(), []);
    for (const place of [left.place, other]) await next.release(place);
    assert.deepEqual(await placesIn(root), []);
  });

  it('keep an unsaved profile if a process of the killed service still holds the lock for a moment', async () => {
    const before = await open();
    const place = await before.take();
    assert.ok(place);
    await before.keep(place, workingCopyOf('a-profile'));
    const opening = open();
    // The next service waits for the lock.
    while (processesNaming('--timeout=2').length === 0) await turn();
    before.abandon(place);
    const next = await opening;
    const [left, ...more] = next.unsaved();
    assert.deepEqual([left?.place.directory, more], [place.directory, []]);
    assert.ok(left);
    await next.release(left.place);
  });

  it('keep no profile of a session that has released its place', async () => {
    const places = await open();
    const before = await places.take();
    assert.ok(before);
    await places.release(before);
    await assert.rejects(places.keep(before, workingCopyOf('a-profile')), { code: 'err_session_failed' });
    const after = await places.take();
    assert.equal(after?.directory, before.directory);
    await assert.rejects(places.keep(before, workingCopyOf('a-profile')), { code: 'err_session_failed' });
    assert.deepEqual(await placesIn(root), ['0']);
    await places.release(after);
  });

  it('of an older version of the service can still be read', async () => {
    const before = await open();
    const kept = await before.take();
    assert.ok(kept);
    await before.keep(kept, workingCopyOf('a-profile'));
    before.abandon(kept);
    const note = `${kept.directory}.profile`;
    const { keeper } = JSON.parse(await readFile(note, 'utf8')) as { keeper: string };
    await writeFile(note, JSON.stringify({ profile: 'a-profile', keeper }));
    const next = await open();
    const [left] = next.unsaved();
    assert.deepEqual(left?.workingCopy, { profile: 'a-profile', owner: null, claimed: false });
    await next.release(left.place);
  });

  it('are free again after one of them could not be created', async () => {
    const places = await open();
    await rm(root, { recursive: true });
    await assert.rejects(places.take(), { code: 'ENOENT' });
    await mkdir(root, { mode: 0o711 });
    const place = await places.take();
    assert.equal(place?.directory, join(root, '0'));
    await places.release(place);
  });

  it('are shared with other services on the machine without conflicts', async () => {
    const [ours, theirs] = [await open(), await open()];
    const taken = await Promise.all([ours.take(), theirs.take(), ours.take(), theirs.take()]);
    assert.equal(new Set(taken.map((place) => place?.directory)).size, 4);
    for (const place of [taken[0], taken[2]]) if (place) await ours.release(place);
    assert.equal((await placesIn(root)).length, 2);
    for (const place of [taken[1], taken[3]]) if (place) await theirs.release(place);
  });

  it('are reused only after they are clean', rootOnly, async () => {
    const places = await open();
    const place = await places.take();
    assert.ok(place?.uid !== undefined);
    await writeFile(join(place.directory, 'secret'), 'x');
    const child = await sleeper(place.uid);
    const gone = once(child, 'exit');
    await places.release(place);
    await gone;
    assert.deepEqual(processesOf(place.uid), []);
    const again = await places.take();
    assert.ok(again);
    assert.deepEqual(again, place);
    assert.deepEqual(await readdir(place.directory), []);
    await places.release(again);
  });

  it('skip a user id that another process runs as, without ending that process', rootOnly, async () => {
    const places = await open();
    const child = await sleeper(UID_BASE);
    const place = await places.take();
    assert.equal(place?.uid, UID_BASE + 1);
    assert.equal(child.exitCode, null);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await places.release(place);
  });

  it('of a killed service are cleaned at the next start, those of a running one are not', async () => {
    await mkdir(join(root, '5', 'left'), { recursive: true });
    await mkdir(join(root, '6'));
    await mkdir(join(root, 'not-ours'));
    const running = await (isRoot
      ? acquireLock(UID_LOCKS, String(UID_BASE + 6))
      : acquireLock(join(root, 'locks'), '6'));
    const child = isRoot ? await sleeper(UID_BASE + 5) : undefined;
    const gone = child && once(child, 'exit');
    await open();
    await gone;
    assert.deepEqual((await placesIn(root)).sort(), ['6', 'not-ours']);
    running?.release();
  });
});

describe('an unfinished copy of the extensions', () => {
  const copy = () => join(root, 'extensions-0123456789abcdef.0123456789ab.tmp');
  beforeEach(() => mkdir(join(copy(), 'one'), { recursive: true }));

  it('is left to the other service that writes it', async () => {
    await open();
    assert.ok(await stat(copy()));
  });

  it('is removed if its service was killed long ago', async () => {
    const long = new Date(Date.now() - 3_700_000);
    await utimes(copy(), long, long);
    await open();
    await assert.rejects(stat(copy()), { code: 'ENOENT' });
  });
});

describe('a copy of the extensions of another build', () => {
  const name = 'extensions-0123456789abcdef';
  const locks = () => join(root, 'locks');
  beforeEach(() => mkdir(join(root, name, 'one'), { recursive: true }));

  it('is removed at the start if no service uses it', async () => {
    await open();
    assert.equal(existsSync(join(root, name)), false);
  });

  it('is left to the services that use it', async () => {
    const [one, two] = await Promise.all([shareLock(locks(), name), shareLock(locks(), name)]);
    one.release();
    await open();
    assert.equal(existsSync(join(root, name)), true);
    two.release();
    await open();
    assert.equal(existsSync(join(root, name)), false);
  });

  it('does not prevent the start if it cannot be removed', async () => {
    // A directory cannot be locked.
    await mkdir(join(locks(), name), { recursive: true, mode: 0o700 });
    await open();
    assert.equal(existsSync(join(root, name)), true);
  });

  it('is not removed by another service while this one runs', async () => {
    await open();
    const own = (await readdir(locks())).filter((lock) => lock.startsWith('extensions-') && lock !== name);
    assert.equal(own.length, 1);
    assert.equal(await acquireLock(locks(), own[0] ?? ''), undefined);
  });
});

describe('a place whose contents exceed the maximum path length', () => {
  /** Forty nested directories, 8000 characters deep. Their owner has no access to the last one. */
  const fill = (directory: string) =>
    execFileSync('perl', [
      '-e',
      'chdir shift or die; my $d = "d" x 200; for (1..40) { mkdir $d or die; chdir $d or die } mkdir "x", 0',
      directory,
    ]);

  it('is cleaned after its session', async () => {
    const places = await open();
    const place = await places.take();
    assert.ok(place);
    fill(place.directory);
    await places.release(place);
    assert.deepEqual(await placesIn(root), []);
  });

  it('is cleaned by the next service, which starts', async () => {
    await mkdir(join(root, '5'), { recursive: true });
    fill(join(root, '5'));
    await open();
    assert.deepEqual(await placesIn(root), []);
  });
});

describe('the directory of running sessions', () => {
  it('is refused if another user created it', async () => {
    await mkdir(join(base, 'elsewhere'));
    await symlink(join(base, 'elsewhere'), root);
    await assert.rejects(open(), RuntimeDirectoryError);
  });

  it('is refused where sessions could not reach it', rootOnly, async () => {
    await chmod(base, 0o700);
    await assert.rejects(open(), /cannot open files below .*Set RUNTIME_DIR/);
  });
});
