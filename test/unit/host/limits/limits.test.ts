import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { geteuid, pid as ownPid, seteuid } from 'node:process';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  BusyThreads,
  LOOKS_TO_BUSY,
  LOOKS_TO_REST,
} from '../../../../server/src/host/limits/busy-threads.js';
import { SIZE_INTERVAL_MS } from '../../../../server/src/host/limits/disk-watch.js';
import { deletedBytes, directoryBytes } from '../../../../server/src/host/limits/disk-use.js';
import {
  ENDED_PAGES_WINDOW_MS,
  LimitKeeper,
  MAX_ENDED_PAGES,
  PATIENCE_MS,
} from '../../../../server/src/host/limits/limit-keeper.js';
import {
  becomeExpendable,
  BROWSER_SCORE,
  BrowserScore,
  LOOKS_PER_COMMAND,
} from '../../../../server/src/host/limits/kernel-walls.js';
import {
  CLOSE_LOOK_INTERVAL_MS,
  LOOK_INTERVAL_MS,
  ResourceWatch,
} from '../../../../server/src/host/limits/resource-watch.js';
import { SessionProcesses, type ProcessUse } from '../../../../server/src/host/limits/session-processes.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const run = promisify(execFile);
const MB = 2 ** 20;
const LIMITS = { memoryBytes: 600 * MB, processes: 300, diskBytes: 64 * MB };
const RUNNING = { ticks: 0, stopped: false, zombie: false };
const BROWSER = { ...RUNNING, pid: 10, parent: 1, memoryBytes: 100 * MB, tasks: 40 };
const page = (pid: number, memory: number, tasks = 10): ProcessUse => ({
  ...{ ...RUNNING, pid, parent: 10, memoryBytes: memory * MB, tasks },
});

let directory: string;
beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-limits-'))));
afterEach(() => rm(directory, { recursive: true }));

describe('the session limiter', () => {
  const keeper = () => new LimitKeeper(LIMITS, (pid) => pid >= 20);

  it('does nothing within the limits', () => {
    assert.deepEqual(keeper().judge([BROWSER, page(20, 400)], 0), { do: 'nothing' });
  });

  it('ends the page with the highest use, and never the browser', () => {
    const uses = [{ ...BROWSER, memoryBytes: 400 * MB }, page(20, 50), page(21, 200)];
    assert.deepEqual(keeper().judge(uses, 0), { do: 'end-page', pid: 21, resource: 'memory' });
  });

  it('ends the page with the most threads when there are too many threads', () => {
    const uses = [BROWSER, page(20, 50, 30), page(21, 40, 290)];
    assert.deepEqual(keeper().judge(uses, 0), { do: 'end-page', pid: 21, resource: 'processes' });
  });

  it('waits for the memory of an ended page before it ends another one', () => {
    const judge = keeper();
    assert.equal(judge.judge([BROWSER, page(20, 600), page(21, 50)], 0).do, 'end-page');
    assert.equal(judge.judge([BROWSER, page(20, 560), page(21, 50)], 200).do, 'nothing');
    const verdict = judge.judge([{ ...BROWSER, memoryBytes: 560 * MB }, page(20, 0), page(21, 50)], 400);
    assert.deepEqual(verdict, { do: 'end-page', pid: 21, resource: 'memory' });
  });

  it('ends the session when no page is left to end', () => {
    const judge = keeper();
    const uses = [{ ...BROWSER, memoryBytes: 700 * MB }];
    assert.deepEqual(judge.judge(uses, 0), { do: 'nothing' });
    assert.deepEqual(judge.judge(uses, PATIENCE_MS - 1), { do: 'nothing' });
    assert.deepEqual(judge.judge(uses, PATIENCE_MS), { do: 'end-session', resource: 'memory' });
  });

  it('ends a session whose pages are ended repeatedly, and forgets old cases', () => {
    const judge = keeper();
    const uses = [BROWSER, page(20, 600)];
    // A busy machine takes this time to load a page again and to let it take too much.
    const busyMs = 20_000;
    for (let round = 0; round < MAX_ENDED_PAGES; round++) {
      assert.equal(judge.judge(uses, round * busyMs).do, 'end-page');
      assert.equal(judge.judge([BROWSER], round * busyMs + 1).do, 'nothing');
    }
    assert.equal(judge.judge(uses, MAX_ENDED_PAGES * busyMs).do, 'end-session');
    const patient = keeper();
    const rareMs = ENDED_PAGES_WINDOW_MS / MAX_ENDED_PAGES;
    for (let round = 0; round < 20; round++) {
      assert.equal(patient.judge(uses, round * rareMs).do, 'end-page');
      assert.equal(patient.judge([BROWSER], round * rareMs + 1).do, 'nothing');
    }
  });
});

describe('the session monitor', () => {
  let clock: ManualClock;
  let told: string[];
  let uses: ProcessUse[];
  let killed: number[];
  let sizes: number;
  let free: number;
  let size: () => Promise<number>;
  let measured: readonly number[];
  let watch: ResourceWatch;
  beforeEach(() => {
    [clock, told, uses, killed, sizes, free] = [new ManualClock(), [], [BROWSER], [], 0, 1_000 * MB];
    [size, measured] = [() => Promise.resolve(1), []];
    watch = ResourceWatch.start({
      limits: LIMITS,
      directory,
      clock,
      listener: {
        onLook: () => told.push('look'),
        onPageEnded: (resource) => told.push(`page ${resource}`),
        onExceeded: (resource) => told.push(`session ${resource}`),
      },
      processes: { look: () => uses, runsPages: (pid) => pid >= 20 },
      disk: {
        size: (_, pids) => {
          sizes += 1;
          measured = pids;
          return size();
        },
        free: () => free,
      },
      kill: (pid) => killed.push(pid),
    });
  });
  afterEach(() => watch.stop());

  const lookSoon = () => {
    watch.lookSoon();
    clock.advance(0);
  };
  /** Advances time, and lets the measurement of sizes end. */
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await turn();
  };

  it('looks at once on request, and no more after its end', () => {
    lookSoon();
    assert.deepEqual(told, ['look']);
    watch.stop();
    lookSoon();
    assert.deepEqual(told, ['look']);
  });

  it('measures the disk not at once on request, but at the next check', () => {
    lookSoon();
    assert.equal(sizes, 0);
    clock.advance(LOOK_INTERVAL_MS);
    assert.equal(sizes, 1);
  });

  it('ends a page that uses too much, and reports it', () => {
    uses = [BROWSER, page(20, 600)];
    clock.advance(LOOK_INTERVAL_MS);
    assert.deepEqual([killed, told], [[20], ['page memory', 'look']]);
  });

  it('measures more often near the limit', () => {
    uses = [BROWSER, page(20, 250)];
    clock.advance(LOOK_INTERVAL_MS);
    for (let look = 0; look < 3; look++) clock.advance(CLOSE_LOOK_INTERVAL_MS);
    assert.equal(told.length, 4);
  });

  it('reports once that the session exceeds its limit, and then stops', async () => {
    size = () => Promise.resolve(LIMITS.diskBytes + 1);
    await pass(LOOK_INTERVAL_MS);
    clock.advance(60_000);
    assert.deepEqual(told, ['look', 'session disk']);
  });

  it('measures the disk usage of all processes', () => {
    uses = [BROWSER, page(20, 10)];
    clock.advance(LOOK_INTERVAL_MS);
    assert.deepEqual(measured, [10, 20]);
  });

  it('measures sizes periodically, and at once when the disk is nearly full', async () => {
    await pass(LOOK_INTERVAL_MS);
    clock.advance(5_000);
    assert.equal(sizes, 1);
    free -= LIMITS.diskBytes / 4;
    await pass(LOOK_INTERVAL_MS);
    assert.equal(sizes, 2);
    await pass(SIZE_INTERVAL_MS);
    assert.equal(sizes, 3);
  });

  it('continues with other measurements while a disk hangs', () => {
    size = () => new Promise(() => undefined);
    clock.advance(5 * SIZE_INTERVAL_MS);
    assert.equal(sizes, 1);
    uses = [BROWSER, page(20, 600)];
    clock.advance(LOOK_INTERVAL_MS);
    assert.deepEqual(killed, [20]);
  });

  it('stops when it is closed', () => {
    watch.stop();
    clock.advance(10_000);
    assert.deepEqual(told, []);
  });
});

const SLEEPING = {
  ...{ name: 'chromium', state: 'S', parent: 1, ticks: 0 },
  ...{ threads: 1, resident: 0, shared: 0, command: '' },
};
/** A process in the kernel's format. Memory is in pages of 4096 bytes. */
async function process(pid: number, facts: Partial<typeof SLEEPING>): Promise<void> {
  const { name, state, parent, ticks, threads, resident, shared, command } = { ...SLEEPING, ...facts };
  const path = join(directory, `${pid}`);
  await mkdir(path, { recursive: true });
  const fields = [parent, ...Array<number>(9).fill(0), ticks, 0, 0, 0, 20, 0, threads, 0, 100];
  await writeFile(join(path, 'stat'), `${pid} (${name}) ${state} ${fields.join(' ')}\n`);
  await writeFile(join(path, 'statm'), `1000 ${resident} ${shared} 0 0 0 0\n`);
  await writeFile(join(path, 'status'), `Name:\t${name}\nVmSize:\t    4000 kB\n`);
  await writeFile(join(path, 'cmdline'), command);
}

const pidsOf = (uses: readonly ProcessUse[]) => uses.map(({ pid }) => pid);

describe('the processes of a session', () => {
  it('are the descendants of its host, with their own memory and threads', async () => {
    await process(5, { threads: 11, resident: 300, shared: 100 });
    await process(6, { parent: 5, name: 'a) S 1 (b', threads: 2, resident: 50, shared: 20, ticks: 7 });
    await process(7, { parent: 6, threads: 1 });
    await process(8, { parent: 1 });
    await mkdir(join(directory, 'self'));
    const found = new SessionProcesses(5, directory).look();
    assert.deepEqual(found, [
      { ...RUNNING, pid: 5, parent: 1, memoryBytes: 200 * 4_096, tasks: 11 },
      { ...RUNNING, pid: 6, parent: 5, memoryBytes: 30 * 4_096, tasks: 2, ticks: 7 },
      { ...RUNNING, pid: 7, parent: 6, memoryBytes: 0, tasks: 1 },
    ]);
  });

  it('count as stopped only after a signal, not under a debugger or while they wait for a disk', async () => {
    await process(5, {});
    for (const [index, state] of ['T', 't', 'D', 'R', 'Z'].entries())
      await process(6 + index, { parent: 5, name: 'T) T', state });
    const found = new SessionProcesses(5, directory).look();
    const stopped = found.filter((process) => process.stopped);
    const zombies = found.filter((process) => process.zombie);
    assert.deepEqual([pidsOf(stopped), pidsOf(zombies)], [[6], [10]]);
  });

  it('can start and end during the measurement', async () => {
    await process(5, {});
    const processes = new SessionProcesses(5, directory);
    assert.equal(processes.look().length, 1);
    await process(6, { parent: 5 });
    assert.equal(processes.look().length, 2);
    await rm(join(directory, '6', 'statm'));
    await rm(join(directory, '6', 'stat'));
    assert.equal(processes.look().length, 1);
    await rm(join(directory, '6'), { recursive: true });
    assert.equal(processes.look().length, 1);
  });

  it('are found at the next check with their new parent when their parent has ended', async () => {
    await process(5, {});
    await process(6, { parent: 5 });
    await process(7, { parent: 6 });
    await process(8, { parent: 7 });
    const processes = new SessionProcesses(5, directory);
    assert.equal(processes.look().length, 4);
    await rm(join(directory, '6'), { recursive: true });
    await process(7, { parent: 5 });
    assert.deepEqual(pidsOf(processes.look()), [5, 7, 8]);
  });

  it('are found again after a new process has the id of the parent of its own parent', async () => {
    await process(5, {});
    await process(6, { parent: 7 });
    await process(7, { parent: 5 });
    const processes = new SessionProcesses(5, directory);
    assert.equal(processes.look().length, 3);
    await process(6, { parent: 5 });
    await rm(join(directory, '7'), { recursive: true });
    processes.look();
    await process(7, { parent: 6 });
    processes.look();
    assert.equal(processes.look().length, 3);
  });

  it('count as page processes by their command line', async () => {
    await process(5, {});
    await process(6, { command: '/usr/lib/chromium/chromium --type=renderer --lang=en' });
    await process(7, { command: '/usr/lib/chromium/chromium\0--type=gpu-process\0--x=--type=renderers' });
    await process(8, { command: '/usr/lib/chromium/chromium --type=renderer --extension-process --x' });
    const processes = new SessionProcesses(5, directory);
    const runsPages = [6, 7, 8, 9].map((pid) => processes.runsPages(pid));
    assert.deepEqual(runsPages, [true, false, false, false]);
  });
});

describe('busy threads', () => {
  /** A thread with this running time, this waiting time and this number of pauses. */
  async function thread(
    pid: number,
    tid: number,
    [ran, waited, pauses]: [number, number, number],
  ): Promise<void> {
    const path = join(directory, `${pid}`, 'task', `${tid}`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'schedstat'), `${ran * 1e6} ${waited * 1e6} 5\n`);
    await writeFile(join(path, 'status'), `Name:\tx\nvoluntary_ctxt_switches:\t${pauses}\n`);
  }

  it('are threads that do not pause for some seconds, however little time they get', async () => {
    const threads = new BusyThreads(directory);
    const found: number[][] = [];
    for (let second = 0; second <= 6; second++) {
      await thread(20, 20, [second * 10, 0, second * 100]);
      await thread(20, 21, [second * 400, second * 590, second]);
      // Paints all the time, and waits briefly at each picture.
      await thread(30, 30, [second * 500, second * 500, second * 60]);
      const uses = [20, 30].map((pid) => ({ ...page(pid, 1), ticks: second * 50 }));
      found.push(threads.look(uses, second * 1_000).map(({ tid }) => tid));
    }
    // The first measurement has nothing to compare with. The second one has nothing for new threads.
    assert.deepEqual(found.slice(0, LOOKS_TO_BUSY + 1), [[], [], [], []]);
    assert.deepEqual(found.slice(LOOKS_TO_BUSY + 1), [[21], [21], [21]]);
    assert.equal(threads.busy, true);
    for (let look = 1; look <= LOOKS_TO_REST; look++) {
      assert.equal(threads.busy, true);
      threads.look([], 6_000 + look * 1_000);
    }
    assert.equal(threads.busy, false);
  });

  it('are unknown where the kernel does not report them', () => {
    const threads = new BusyThreads(directory);
    for (let second = 0; second < 6; second++)
      assert.deepEqual(threads.look([{ ...page(20, 1), ticks: second * 100 }], second * 1_000), []);
  });
});

describe('the disk usage of a directory', () => {
  it('is the space of its files and subdirectories, not the size of sparse files', async () => {
    await mkdir(join(directory, 'a', 'b'), { recursive: true });
    const before = await directoryBytes(directory);
    await writeFile(join(directory, 'a', 'b', 'file'), Buffer.alloc(100_000, 1));
    await writeFile(join(directory, 'sparse'), '');
    await truncate(join(directory, 'sparse'), 1e9);
    const taken = (await directoryBytes(directory)) - before;
    assert.ok(taken >= 100_000 && taken < 200_000, `${taken}`);
  });

  it('is infinite when a directory inside hides its files from the host', async () => {
    const hidden = join(directory, 'hidden');
    await mkdir(hidden);
    await writeFile(join(hidden, 'file'), 'content');
    await chmod(directory, 0o755);
    // Root can read everything.
    const isRoot = geteuid?.() === 0;
    for (const mode of [0o000, 0o400]) {
      await chmod(hidden, mode);
      if (isRoot) seteuid?.('nobody');
      try {
        assert.equal(await directoryBytes(directory), Infinity);
      } finally {
        if (isRoot) seteuid?.(0);
        await chmod(hidden, 0o700);
      }
    }
  });

  it('is infinite when paths are too long for the host', async () => {
    const deep = Array<string>(10).fill('x'.repeat(250));
    const [upper, lower] = [join(directory, 'upper'), join(directory, 'lower')];
    for (const path of [upper, lower]) await mkdir(join(path, ...deep), { recursive: true });
    await rename(lower, join(upper, ...deep, 'lower'));
    assert.equal(await directoryBytes(directory), Infinity);
    // Node cannot remove such a path.
    await run('rm', ['-r', upper]);
  });

  it('is zero when the directory is gone', async () => {
    assert.equal(await directoryBytes(join(directory, 'gone')), 0);
  });
});

describe('the disk usage of deleted files', () => {
  it('counts each file once while a process has it open', async () => {
    const path = join(directory, 'file');
    await writeFile(path, Buffer.alloc(100_000, 1));
    const files = [await open(path), await open(path)];
    try {
      assert.equal(await deletedBytes(directory, [ownPid]), 0, 'not deleted');
      await rm(path);
      const taken = await deletedBytes(directory, [ownPid, ownPid]);
      assert.ok(taken >= 100_000 && taken < 200_000, `${taken}`);
    } finally {
      for (const file of files) await file.close();
    }
    assert.equal(await deletedBytes(directory, [ownPid]), 0, 'closed');
  });

  it('does not count files of other file systems, which may be in memory', async () => {
    const path = join('/dev/shm', basename(directory));
    await writeFile(path, Buffer.alloc(100_000, 1));
    const file = await open(path);
    try {
      await rm(path);
      assert.equal(await deletedBytes(directory, [ownPid]), 0);
    } finally {
      await file.close();
    }
  });

  it('is zero for processes that have ended, and for a directory that is gone', async () => {
    const ended = run('true');
    await ended;
    assert.equal(await deletedBytes(directory, [ended.child.pid ?? 0]), 0);
    assert.equal(await deletedBytes(join(directory, 'gone'), [ownPid]), 0);
  });
});

describe('the out-of-memory score of a process', () => {
  it('stays at a higher value, and is unknown where the kernel has no scores', async () => {
    const file = join(directory, 'score');
    await writeFile(file, '0\n');
    becomeExpendable(100, file);
    becomeExpendable(50, file);
    assert.equal((await readFile(file, 'utf8')).slice(0, 3), '100');
    becomeExpendable(100, join(directory, 'none'));
  });

  it('is set for the browser, also if a check has seen the process before it ran the browser', async () => {
    const [line, file] = [join(directory, '10', 'cmdline'), join(directory, '10', 'oom_score_adj')];
    await mkdir(join(directory, '10'));
    await writeFile(line, 'bwrap\0--args\0');
    await writeFile(file, '100');
    const score = new BrowserScore(directory);
    score.look([BROWSER]);
    assert.equal(await readFile(file, 'utf8'), '100');
    await writeFile(line, '/usr/lib/chromium/chromium\0--no-first-run\0');
    for (let looks = 0; looks < LOOKS_PER_COMMAND; looks++) score.look([BROWSER]);
    assert.equal(await readFile(file, 'utf8'), String(BROWSER_SCORE));
  });
});
