import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Cleanup } from '../../e2e/support/cleanup.js';
import type { FloodOutcome } from '../../e2e/support/flooder.js';
import { PageServer } from '../../e2e/support/page-server.js';
import type { Session } from '../../e2e/support/service.js';
import { patient } from '../../support/limits.js';
import { pause, until, within } from '../../walk/deadline.js';
import { Person } from '../../walk/person.js';
import { BuiltService } from '../../support/built-service.js';
import { useOrdinarily } from './ordinary-use.js';
import type { FloodRow } from './rows.js';

const FLOODER = fileURLToPath(new URL('../../e2e/support/flooder.ts', import.meta.url));
/** Time for which frames are counted just before a flood. Milliseconds. */
const BASELINE_MS = 3_000;
const LOAD_LIMIT_MS = patient(60_000);
const ANSWER_LIMIT_MS = patient(30_000);
const SIZE = { width: 640, height: 480, fps: 30 };

/** One flood: its end, and the frames that others kept, in percent of their frames just before. */
export interface Round {
  outcome: FloodOutcome;
  others: number;
  neighbours: number;
  /** The longest time without a frame for another viewer of the session, in milliseconds. */
  gap: number;
}

/** Viewer that counts its frames. */
interface Watcher {
  person: Person;
  frames: number;
  longest: number;
  last: number;
}

/** Two sessions with moving pages. Two viewers watch the first, one the second. */
export class FloodStage {
  private constructor(
    private readonly cleanup: Cleanup,
    private readonly session: Session,
    private readonly others: readonly Watcher[],
    private readonly neighbours: readonly Watcher[],
  ) {}

  static async build(): Promise<FloodStage> {
    const cleanup = new Cleanup();
    try {
      const pages = await PageServer.start(cleanup.add);
      const service = await BuiltService.start();
      cleanup.add(() => service.stop());
      const begin = async () => {
        const page = pages.page('motion');
        const session = await service.create({ start_url: page.url, ...SIZE });
        await until('the page is loaded', LOAD_LIMIT_MS, () => page.loads > 0);
        return session;
      };
      const watch = async (session: Session): Promise<Watcher> => {
        const person = await Person.join(session);
        cleanup.add(() => person.leave());
        const watcher = { person, frames: 0, longest: 0, last: performance.now() };
        person.client.on('packet', ({ refinement }) => {
          if (!refinement) noteFrame(watcher);
        });
        await until('frames come', LOAD_LIMIT_MS, () => watcher.frames > SIZE.fps);
        return watcher;
      };
      const [session, neighbour] = [await begin(), await begin()];
      const others = [await watch(session), await watch(session)];
      return new FloodStage(cleanup, session, others, [await watch(neighbour)]);
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  }

  /** Counts frames, runs the row, and counts the frames during it. */
  async run(row: FloodRow): Promise<Round> {
    const isOrdinary = row.kind === 'drag' || row.kind === 'mouse';
    const flood = isOrdinary
      ? () => useOrdinarily(this.session, row)
      : await startFlooder(this.session.embed_url, row);
    const before = this.#count();
    await pause(BASELINE_MS);
    const usual = before();
    const during = this.#count();
    const start = performance.now();
    const outcome = await within(`${row.name} ends`, row.seconds * 1_000 + ANSWER_LIMIT_MS, flood());
    // A flooder that is disconnected at once leaves work behind, which may affect others.
    await pause(Math.max(0, row.seconds * 1_000 - (performance.now() - start)));
    const seen = during();
    return {
      outcome,
      others: (100 * seen.others) / usual.others,
      neighbours: (100 * seen.neighbours) / usual.neighbours,
      gap: seen.gap,
    };
  }

  close(): Promise<void> {
    return this.cleanup.run();
  }

  /**
   * Starts to count. The returned function gives the frames per second since then, of the viewer with the
   * fewest.
   */
  #count(): () => { others: number; neighbours: number; gap: number } {
    const start = performance.now();
    const all = [...this.others, ...this.neighbours];
    for (const watcher of all) Object.assign(watcher, { longest: 0, last: start });
    const begun = new Map(all.map((watcher) => [watcher, watcher.frames]));
    return () => {
      const seconds = (performance.now() - start) / 1_000;
      const worst = (watchers: readonly Watcher[]) =>
        Math.min(...watchers.map((each) => (each.frames - (begun.get(each) ?? 0)) / seconds));
      const gap = Math.max(...this.others.map(({ longest }) => longest));
      return { others: worst(this.others), neighbours: worst(this.neighbours), gap };
    };
  }
}

function noteFrame(watcher: Watcher): void {
  const now = performance.now();
  watcher.frames += 1;
  watcher.longest = Math.max(watcher.longest, now - watcher.last);
  watcher.last = now;
}

/** Starts a flooder in its own process, which joins. The returned function starts the flood. */
async function startFlooder(url: string, row: FloodRow): Promise<() => Promise<FloodOutcome>> {
  const { kind, perSecond, seconds } = row;
  const args = ['--import', 'tsx', FLOODER, url, kind, String(perSecond), String(seconds)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => ((await lines.next()) as IteratorResult<string, undefined>).value ?? '';
  const giveUp = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000 + BASELINE_MS + 2 * ANSWER_LIMIT_MS);
  child.once('exit', () => clearTimeout(giveUp));
  child.stdin.write('join\n');
  await within('the flooder joins', ANSWER_LIMIT_MS, line());
  return async () => {
    child.stdin.write('go\n');
    const outcome = JSON.parse(await line()) as FloodOutcome;
    if (child.exitCode === null) await once(child, 'exit');
    return outcome;
  };
}
