import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { until as eventually } from '../walk/deadline.js';
import { ControlGroups } from '../../server/src/pool/groups/control-groups.js';
import { MemoryReclaim } from '../../server/src/pool/groups/memory-reclaim.js';
import type { Kernel } from '../../server/src/pool/groups/hierarchies.js';

const LIMITS = {
  memoryBytes: 400,
  processes: 100,
  cpuWeight: 200,
  diskBytes: 1,
  fileBytes: 1,
  filesBytes: 1,
  tabs: 1,
  viewers: 1,
  standbySeconds: 60,
};
const PID = 4_711;

const until = (look: () => boolean) => eventually('the file changes', 20_000, look);

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'cloud-browser-groups-'))));
afterEach(() => rm(root, { recursive: true }));

/** A group in the format of the kernel. */
async function group(path: string, files: Record<string, string> = {}): Promise<void> {
  await mkdir(join(root, path), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, path, name), text);
}

function kernel(cgroup: string, changes: Partial<Kernel> = {}): Kernel {
  const mounts = [
    '22 21 0:20 / /proc rw,relatime - proc proc rw',
    `30 21 0:30 / ${root}/pids rw,relatime shared:9 - cgroup cgroup rw,pids`,
    `31 21 0:31 / ${root}/both rw,relatime - cgroup cgroup rw,cpu,cpuacct`,
    `32 21 0:32 / ${root}/memory rw,relatime - cgroup cgroup rw,memory`,
    `33 21 0:33 / ${root}/unified rw,relatime - cgroup2 cgroup2 rw`,
  ].join('\n');
  return { cgroup, mounts, pid: PID, uid: 0, isAlive: () => true, ...changes };
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const NAME = `cloud-browser-${PID}-1`;

describe('control groups of version 2', () => {
  const cgroup = '0::/a/service\n';
  const own = (processes: string) =>
    group('unified/a/service', {
      'cgroup.controllers': 'cpu memory pids\n',
      'cgroup.subtree_control': 'cpu memory pids\n',
      'cgroup.procs': processes,
    });

  it('enforce the limits of a session, with a fixed memory limit on top', async () => {
    await own(`${PID}\n`);
    const groups = ControlGroups.open(LIMITS, kernel(cgroup));
    const session = groups.create();
    session.add(99);
    const path = `unified/a/service/${NAME}`;
    const files = ['memory.max', 'memory.swap.max', 'pids.max', 'cpu.weight', 'cgroup.procs'];
    assert.deepEqual(
      files.map((file) => read(`${path}/${file}`)),
      ['500', '0', '125', '200', '99'],
    );
    assert.deepEqual(groups.walls, {
      ...{ memory: 'cgroup v2', processes: 'cgroup v2', processor: 'cgroup v2' },
      ...{ disk: 'checked by the session hosts', descriptors: 'rlimit' },
    });
    assert.equal(session.sharesProcessor, true);
    for (const [share, weight] of [
      ['busy', '20'],
      ['waiting', '4'],
      ['usual', '200'],
    ] as const) {
      session.setShare(share);
      assert.equal(read(`${path}/cpu.weight`), weight, share);
    }
  });

  it('report that a session ran out of memory', async () => {
    await own(`${PID}\n`);
    const session = ControlGroups.open(LIMITS, kernel(cgroup)).create();
    assert.equal(session.ranOutOfMemory, false);
    await writeFile(join(root, `unified/a/service/${NAME}/memory.events`), 'low 0\noom 2\noom_kill 1\n');
    assert.equal(session.ranOutOfMemory, true);
  });

  it('move the programs of a session, but not its host, to a group that can be frozen', async () => {
    await own(`${PID}\n`);
    const session = ControlGroups.open(LIMITS, kernel(cgroup)).create();
    const path = `unified/a/service/${NAME}`;
    await group(`${path}/programs`, { 'cgroup.freeze': '0' });
    await group(path, { 'cgroup.procs': '41\n' });
    assert.equal(await session.openFreezer(41, undefined), join(root, path, 'programs/cgroup.freeze'));
    // These files do not move processes, so the service gives up after some rounds.
    await group(path, { 'cgroup.procs': '41\n42\n' });
    assert.equal(await session.openFreezer(41, undefined), undefined);
    assert.equal(read(`${path}/programs/cgroup.procs`), '42');
  });

  it('cannot be frozen by a kernel without a freezer', async () => {
    await own(`${PID}\n`);
    const session = ControlGroups.open(LIMITS, kernel(cgroup)).create();
    assert.equal(await session.openFreezer(41, undefined), undefined);
  });

  it('are not used if the group contains other processes', async () => {
    await own(`1\n${PID}\n`);
    const groups = ControlGroups.open(LIMITS, kernel(cgroup));
    assert.equal(groups.hierarchies.size, 0);
    assert.equal(groups.create().sharesProcessor, false);
    assert.deepEqual(readdirSync(join(root, 'unified/a/service')).sort(), [
      ...['cgroup.controllers', 'cgroup.procs', 'cgroup.subtree_control'],
    ]);
  });

  it('are used if they belong to the user, whatever processes are in them', async () => {
    await own(`1\n${PID}\n`);
    const uid = process.getuid?.() ?? 0;
    // The owner of these files represents the user to whom the group was delegated.
    const groups = ControlGroups.open(LIMITS, kernel(cgroup, { uid: uid === 0 ? -1 : uid }));
    assert.equal(groups.hierarchies.size, uid === 0 ? 0 : 3);
  });

  it('of an ended service are removed by the next service', async () => {
    await own(`${PID}\n`);
    await group('unified/a/service/cloud-browser-5-1/programs');
    await group('unified/a/service/cloud-browser-6-1');
    await group('unified/a/service/others');
    ControlGroups.open(LIMITS, kernel(cgroup, { isAlive: (pid) => pid === 6 }));
    const left = ['cloud-browser-5-1', 'cloud-browser-6-1', 'others'];
    assert.deepEqual(
      left.map((name) => existsSync(join(root, 'unified/a/service', name))),
      [false, true, true],
    );
  });
});

describe('control groups of version 1', () => {
  const cgroup = '8:pids:/\n4:memory:/machine/x\n2:cpu,cpuacct:/\n0::/\n';

  it('are used separately, each where the service is in the top group', async () => {
    await group('unified', { 'cgroup.controllers': '' });
    await group('pids');
    await group('both');
    await group('memory/machine/x', { 'cgroup.procs': `1\n${PID}\n` });
    const groups = ControlGroups.open(LIMITS, kernel(cgroup));
    assert.deepEqual([...groups.hierarchies.keys()], ['pids', 'cpu']);
    groups.create().add(99);
    assert.equal(read(`pids/${NAME}/pids.max`), '125');
    assert.equal(read(`both/${NAME}/cpu.shares`), '2048');
    assert.equal(read(`both/${NAME}/cgroup.procs`), '99');
    assert.equal(groups.walls.memory, 'checked by the session hosts');
  });

  it('also limit memory if the service is alone in its group', async () => {
    await group('memory/machine/x', { 'cgroup.procs': `${PID}\n` });
    const groups = ControlGroups.open(LIMITS, kernel(cgroup));
    assert.deepEqual([...groups.hierarchies.keys()], ['memory']);
    groups.create();
    assert.equal(read(`memory/machine/x/${NAME}/memory.limit_in_bytes`), '500');
  });
});

describe('the memory of a frozen session', () => {
  const SWAPS = 'Filename\tType\n/dev/zram0\tpartition\n';
  const reclaim = async (version: 1 | 2, swaps: string) => {
    await group('swaps', { list: swaps });
    await group('memory', { 'memory.swap.max': '0', 'memory.force_empty': '' });
    return new MemoryReclaim({ path: join(root, 'memory'), version }, join(root, 'swaps/list'));
  };

  it('may be swapped until the session continues', async () => {
    const memory = await reclaim(2, SWAPS);
    memory.begin();
    assert.equal(read('memory/memory.swap.max'), 'max');
    const file = 'memory/memory.reclaim';
    await until(() => existsSync(join(root, file)) && /^\d+ swappiness=200$/.test(read(file)));
    memory.end();
    assert.equal(read('memory/memory.swap.max'), '0');
  });

  it('is swapped through the file of version 1', async () => {
    (await reclaim(1, SWAPS)).begin();
    await until(() => read('memory/memory.force_empty') === '0');
  });

  it('stays where it is if the machine has no swap', async () => {
    (await reclaim(2, 'Filename\tType\n')).begin();
    assert.equal(read('memory/memory.swap.max'), '0');
    assert.equal(existsSync(join(root, 'memory/memory.reclaim')), false);
  });
});

describe('a machine without control groups', () => {
  it('lets hosts monitor the limits of their sessions', () => {
    const groups = ControlGroups.open(LIMITS, kernel('', { mounts: '' }));
    assert.equal(groups.walls.memory, 'checked by the session hosts');
    assert.equal(groups.walls.processor, 'priorities');
    groups.create().add(99);
  });

  it('is assumed if the control groups are not writable', async () => {
    await group('pids');
    await chmod(join(root, 'pids'), 0o555);
    const groups = ControlGroups.open(LIMITS, kernel('8:pids:/\n', { uid: 1 }));
    // Root can write everywhere.
    assert.equal(groups.hierarchies.size, process.getuid?.() === 0 ? 1 : 0);
    await chmod(join(root, 'pids'), 0o755);
  });
});

describe('the freezer of the current machine', () => {
  const groups = ControlGroups.open(LIMITS);
  const owned = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = owned.pid ?? -1;
  after(async () => {
    owned.kill('SIGKILL');
    if (owned.exitCode === null && owned.signalCode === null) await once(owned, 'exit');
  });

  it('freezes the programs of a session and lets them end', async (test) => {
    const session = groups.create();
    session.add(pid);
    // No process of the group is the host.
    const file = await session.openFreezer(-1, undefined);
    if (file === undefined) return test.skip('it has no group of version 2 that is ours');
    const frozen = () => /^frozen 1$/m.test(readFileSync(join(file, '../cgroup.events'), 'utf8'));
    await writeFile(file, '1');
    await until(frozen);
    await writeFile(file, '0');
    await until(() => !frozen());
    await writeFile(file, '1');
    await until(frozen);
    owned.kill('SIGKILL');
    await once(owned, 'exit');
    await session.remove();
    assert.equal(existsSync(join(file, '../..')), false);
  });
});

describe('the current machine', () => {
  const groups = ControlGroups.open({ ...LIMITS, processes: 8 });
  const skip = !groups.hierarchies.has('pids') && 'it has no group of ours for processes';

  it('limits the processes of a session and cleans up after a refused one', { skip }, async () => {
    const session = groups.create();
    const shell = spawn('sh', ['-c', 'read go; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20 & done'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    session.add(shell.pid ?? -1);
    let said = '';
    shell.stderr.on('data', (data: Buffer) => (said += String(data)));
    shell.stdin.write('go\n');
    const closed = once(shell.stderr, 'close');
    await once(shell, 'exit');
    assert.match(said, /fork/i);
    const { directory } = groups.hierarchies.get('pids') ?? { directory: '' };
    const [name = ''] = readdirSync(directory).filter((entry) =>
      entry.startsWith(`cloud-browser-${process.pid}-`),
    );
    for (const pid of readFileSync(join(directory, name, 'cgroup.procs'), 'utf8')
      .split('\n')
      .filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
    await closed;
    await session.remove();
    assert.equal(existsSync(join(directory, name)), false);
  });
});
