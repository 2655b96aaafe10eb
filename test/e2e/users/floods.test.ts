import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CallTimeoutError, NotConnectedError } from '../../../src/core/index.js';
import { hold, isKept, STRICT } from '../../support/limits.js';
import { atEnd } from '../support/cleanup.js';
import type { FloodOutcome } from '../support/flooder.js';
import type { HostedPage } from '../support/hosted-page.js';
import { onlyProcess, processes, SESSION_HOST } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { connectClient } from '../support/sdk-client.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const FLOODER = fileURLToPath(new URL('../support/flooder.ts', import.meta.url));
/** Time for which frames are counted before a flood, and from its start. Milliseconds. */
const WATCH_MS = STRICT ? 3_000 : 1_500;
/**
 * Number of attempts. One in which the others keep their frames is enough, because other work of the machine
 * costs frames too.
 */
const ROUNDS = 5;
const MAX_GROWTH_BYTES = 50e6;

let session: Session;
let viewer: RawViewer;
let page: HostedPage;

test.beforeAll(async ({ service, pages }) => {
  page = pages.page('motion');
  session = await service.create({
    start_url: page.url,
    width: 800,
    height: 600,
    fps: 30,
    max_area: 640_000,
  });
  await page.loaded();
  viewer = await RawViewer.open(session);
  await until('frames come', () => viewer.packets.length > 60);
});

/**
 * Starts a flooder, which takes a second of processor time. The returned function makes it join, and the next
 * one makes it flood.
 */
function startFlooder(kind: string): () => Promise<() => Promise<FloodOutcome>> {
  const args = ['--import', 'tsx', FLOODER, session.embed_url, kind];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const flood = async () => {
    child.stdin.write('go\n');
    const { value } = (await lines.next()) as IteratorResult<string, undefined>;
    if (child.exitCode === null) await once(child, 'exit');
    return JSON.parse(value ?? '') as FloodOutcome;
  };
  return async () => {
    child.stdin.write('join\n');
    await lines.next();
    return flood;
  };
}

const framesUntilNow = () => viewer.packets.filter(({ refinement }) => !refinement).length;
const hostBytes = (service: Service) => {
  const { pid } = onlyProcess(service.pid, SESSION_HOST);
  const host = processes().find((process) => process.pid === pid);
  return Number.parseInt(host?.field('VmRSS') ?? '0') * 1024;
};

/** Counts the frames that arrive within {@link WATCH_MS}. */
async function countFrames(meanwhile: () => void = () => undefined): Promise<number> {
  const [start, before] = [performance.now(), framesUntilNow()];
  await until(
    'frames were counted long enough',
    () => {
      meanwhile();
      return performance.now() - start >= WATCH_MS;
    },
    WATCH_MS * 2,
  );
  return framesUntilNow() - before;
}

/** The last count of frames without a flood. */
let usual: number | undefined;

/** Kinds of floods, with the reason for the disconnect of the flooder. */
const FLOODS = {
  calls: 'flooding',
  moves: 'flooding',
  keys: 'flooding',
  resizes: 'flooding',
  malformed: 'rejected',
  joins: 'flooding',
  tabs: 'flooding',
};

test.describe('while one viewer floods a session, the others', { tag: ['@timing', '@alone'] }, () => {
  const started = new Map<string, ReturnType<typeof startFlooder>>();

  // Starts all flooders before frames are counted.
  test.beforeAll(() => {
    for (const kind of Object.keys(FLOODS)) started.set(kind, startFlooder(kind));
  });

  for (const [kind, reason] of Object.entries(FLOODS)) {
    test(`keep their frames: ${kind}`, async ({ service }) => {
      const shares: number[] = [];
      const kept = () => Math.max(0, ...shares);
      while (shares.length < ROUNDS && !isKept('frames that others keep in a flood', kept())) {
        const join = started.get(kind) ?? startFlooder(kind);
        started.delete(kind);
        const start = await join();
        // Other work on the machine may have started since.
        if (usual === undefined || shares.length > 0) usual = await countFrames();
        const bytes = hostBytes(service);
        let most = bytes;
        const flood = start();
        const during = await countFrames(() => (most = Math.max(most, hostBytes(service))));
        const outcome = await flood;
        const growth = most - bytes;
        shares.push((100 * during) / usual);
        note(
          `${kind}: sent away after ${outcome.lasted.toFixed(0)} ms and ${outcome.sent} messages; others kept ${during} of ${usual} frames; the host grew by ${(growth / 1e6).toFixed(1)} MB`,
        );
        assert.equal(outcome.reason, reason, outcome.message);
        hold('a flooding viewer is sent away', outcome.lasted, kind);
        assert.ok(growth < MAX_GROWTH_BYTES, `${growth} bytes`);
      }
      hold('frames that others keep in a flood', kept(), kind);
      assert.equal(viewer.closed, undefined);
    });
  }
});

test.describe('fast people and programs', () => {
  const BUSY_MS = 4_000;

  /** Repeats an action this many times a second, until the test is done. */
  async function often(perSecond: number, act: (count: number) => unknown): Promise<void> {
    const start = performance.now();
    let done = 0;
    while (performance.now() - start < BUSY_MS) {
      for (const due = ((performance.now() - start) * perSecond) / 1_000; done < due; done++) void act(done);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  test('are never disconnected', async () => {
    const [mouse, one, two, three, program] = await Promise.all(
      Array.from({ length: 5 }, () => connectClient(session)),
    );
    assert.ok(mouse && one && two && three && program);
    const people = [mouse, one, two, three, program];
    const failed: string[] = [];
    const queries: Promise<unknown>[] = [];
    // On a busy machine, a client may reconnect after a silence, and an answer may come too late. That is no
    // disconnect by the service.
    const isLate = (error: unknown) =>
      error instanceof NotConnectedError || error instanceof CallTimeoutError;
    const call = (asked: Promise<unknown>) =>
      asked.catch((error: unknown) => isLate(error) || failed.push(String(error)));
    const key = { type: 'key', modifiers: 0, code: 'KeyA', key: 'a', pressed: true } as const;
    for (let piece = 0; piece < 64; piece++)
      three.sendInput({ type: 'text', modifiers: 0, text: 'x'.repeat(16_384) });
    await Promise.all([
      often(1_000, (count) =>
        mouse.sendInput({ type: 'move', modifiers: 0, x: count % 800, y: count % 600 }),
      ),
      ...[one, two, three].map((person) =>
        often(35, (count) => person.sendInput({ ...key, repeat: count > 0 })),
      ),
      // On a busy machine more calls may be pending than a session accepts. Then it rejects the call.
      often(50, () => queries.push(program.tabs.query({}).catch(() => undefined))),
      // Drags the edge of a window back and forth.
      often(60, (count) => call(two.resize(700 + (count % 100), 500))),
    ]);
    await Promise.all(queries);
    await call(program.tabs.query({}));
    assert.deepEqual(failed, []);
    for (const person of people) {
      await until('they are there', () => person.state === 'playing' || person.disconnection);
      assert.equal(person.disconnection, undefined);
    }
  });
});
