import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { roleOf } from '../../../../server/src/host/watch/process-roles.js';
import { ProcessWatch } from '../../../../server/src/host/watch/process-watch.js';
import { RELAPSE_MS, STOPPED_LIMIT_MS } from '../../../../server/src/host/watch/stopped-processes.js';

const CHROMIUM = '/usr/lib/chromium/chromium';
const BROWSER = `${CHROMIUM} --remote-debugging-pipe`;
const GPU = `${CHROMIUM} --type=gpu-process --x`;
const STORAGE = `${CHROMIUM} --type=utility --utility-sub-type=storage.mojom.StorageService --x`;
const ZYGOTE = `${CHROMIUM} --type=zygote --x`;
const PAGE = `${CHROMIUM} --type=renderer --renderer-client-id=5`;

let lines: Map<number, string>;
let parents: Map<number, number>;
let stopped: Set<number>;
let zombies: Set<number>;
let signals: [number, string][];
let told: string[];
let now: number;
let watch: ProcessWatch;
beforeEach(() => {
  lines = new Map([
    [10, 'bwrap --seccomp 5'],
    [11, BROWSER],
    [12, ZYGOTE],
    [13, GPU],
    [14, STORAGE],
    [15, PAGE],
  ]);
  parents = new Map([
    [10, 5],
    [11, 10],
  ]);
  [stopped, zombies, signals, told, now] = [new Set(), new Set(), [], [], 0];
  watch = new ProcessWatch(
    {
      onStopped: (processes) =>
        told.push(processes.map(({ role, remedy }) => `${role}: ${remedy}`).join(', ')),
      onServiceEnded: (loss) => told.push(`${loss} lost`),
    },
    (pid) => `\0${(lines.get(pid) ?? '').replaceAll(' ', '\0')}\0`,
    (pid, signal) => {
      signals.push([pid, signal]);
      if (signal === 'SIGKILL') lines.delete(pid);
      else stopped.delete(pid);
    },
  );
});

/** Runs checks, a second apart. */
function look(count = 1, interval = 1_000): void {
  for (let nth = 0; nth < count; nth++) {
    now += interval;
    const uses = [...lines.keys()].map((pid) => ({
      ...{ pid, parent: parents.get(pid) ?? 11, memoryBytes: 1, tasks: 1, ticks: 0 },
      ...{ stopped: stopped.has(pid), zombie: zombies.has(pid) },
    }));
    watch.look(uses, now);
  }
}
const LOOKS = Math.ceil(STOPPED_LIMIT_MS / 1_000);
/** Stops a process, and runs checks until the watch does something about it. */
function stop(pid: number): void {
  stopped.add(pid);
  look(LOOKS);
}

describe('a session process that a signal has stopped', () => {
  for (const pid of [10, 11, 12, 13, 14, 15])
    it(`is continued when it stays stopped: ${pid}`, () => {
      look();
      stopped.add(pid);
      look(LOOKS - 1);
      assert.deepEqual(signals, []);
      look();
      assert.deepEqual(signals, [[pid, 'SIGCONT']]);
      look(20);
      assert.equal(told.length, 1);
    });

  it('is reported once, together with others that stopped with it', () => {
    look();
    for (const pid of [10, 12, 15]) stopped.add(pid);
    look(LOOKS);
    assert.deepEqual(told, ['A sandbox: continue, A zygote: continue, A page process: continue']);
  });

  it('is ended when it stops again soon, and continued when the last stop was long ago', () => {
    look();
    stop(13);
    stop(13);
    assert.deepEqual(signals.at(-1), [13, 'SIGKILL']);
    signals.length = 0;
    stop(15);
    look(RELAPSE_MS / 1_000);
    stop(15);
    assert.deepEqual(signals, [
      [15, 'SIGCONT'],
      [15, 'SIGCONT'],
    ]);
  });

  it('is ignored when it continues by itself in time', () => {
    look();
    for (let round = 0; round < 5; round++) {
      stopped.add(13);
      look(LOOKS - 1);
      stopped.delete(13);
      look();
    }
    assert.deepEqual(signals, []);
  });

  it('is ignored when the whole session and its monitor were suspended', () => {
    look();
    for (const pid of lines.keys()) stopped.add(pid);
    // A delayed check, and one check before the last process is continued.
    look(1, 600_000);
    look();
    stopped.clear();
    look(10);
    assert.deepEqual(signals, []);
  });

  it('is measured by time, however often it is checked', () => {
    look();
    stopped.add(13);
    look(10, 200);
    assert.deepEqual(signals, []);
  });
});

describe('a Chromium service process', () => {
  it('that ends is reported when another one runs in its place', () => {
    look(3);
    lines.delete(13);
    look(2);
    assert.deepEqual(told, []);
    lines.set(113, GPU);
    look(5);
    assert.deepEqual(told, ['picture lost']);
  });

  it('that ends is not reported if Chromium starts it only when it needs it', () => {
    look(3);
    lines.delete(14);
    lines.set(114, STORAGE);
    look(5);
    assert.deepEqual(told, []);
  });

  it('is not reported when it ends with its browser, whether the browser restarts or not', () => {
    look(3);
    for (const pid of [12, 13, 14]) lines.delete(pid);
    look(1);
    lines.delete(11);
    look(1);
    for (const [pid, line] of [BROWSER, ZYGOTE, GPU, STORAGE].entries()) lines.set(200 + pid, line);
    parents.set(200, 10);
    for (const pid of [201, 202, 203]) parents.set(pid, 200);
    look(10);
    assert.deepEqual(told, []);
  });

  it('that was a zygote is reported after the browser has continued without it, however young it was', () => {
    look(1);
    // The browser has just forked the process that will become another one.
    lines.set(30, BROWSER);
    look(1);
    lines.delete(30);
    lines.delete(12);
    look(5);
    assert.deepEqual(told, ['pages lost']);
  });

  for (const [pid, line] of [
    [12, ZYGOTE],
    [13, GPU],
  ] as const)
    it(`is not reported if only one check did not find it: ${pid}`, () => {
      look(3);
      lines.delete(pid);
      look(1);
      lines.set(pid, line);
      look(5);
      assert.deepEqual(told, []);
    });

  it('that was a zygote also counts as ended when its browser does not notice', () => {
    look(3);
    zombies.add(12);
    lines.set(12, '');
    look(5);
    assert.deepEqual(told, ['pages lost']);
  });

  it('is not mistaken for a zygote right after its fork, however slowly it shows its command line', () => {
    look(10);
    lines.set(20, ZYGOTE);
    parents.set(20, 12).set(21, 12);
    look(3);
    lines.delete(20);
    look(5);
    lines.set(21, ZYGOTE);
    look(20);
    lines.set(21, PAGE);
    look();
    lines.delete(21);
    look(5);
    assert.deepEqual(told, []);
  });
});

describe('the role of a process', () => {
  it('is in its command line', () => {
    const lineOf = (text: string) => `\0${text}\0`;
    const roles = [
      [BROWSER, 'Chromium'],
      [GPU, 'The GPU process'],
      [STORAGE, 'The storage service'],
      [PAGE, 'A page process'],
      [`${CHROMIUM} --type=renderer --extension-process`, 'The extension process'],
      [`${CHROMIUM} --type=utility --utility-sub-type=data_decoder.mojom.X`, 'A utility process'],
      [`${CHROMIUM} --type=broker`, 'A process of Chromium'],
      ['/usr/lib/chromium/chrome_crashpad_handler --monitor-self', 'A process of Chromium'],
      ['/usr/lib/xorg/Xorg :0 -displayfd 3', 'Xorg'],
      ['openbox --sm-disable', 'openbox'],
      ['pulseaudio -n', 'PulseAudio'],
      ['bwrap --seccomp 4 -- pulseaudio', 'A sandbox'],
      ['bwrap --seccomp 4 -- /usr/lib/xorg/Xorg :0', 'A sandbox'],
      [`bwrap --seccomp 5 -- ${BROWSER}`, 'A sandbox'],
      ['sh -c exec', 'Another process'],
      ['', 'Another process'],
    ] as const;
    for (const [text, role] of roles) {
      assert.equal(roleOf(lineOf(text)), role, text);
      assert.equal(roleOf(lineOf(text.replaceAll(' ', '\0'))), role, text);
    }
  });
});
