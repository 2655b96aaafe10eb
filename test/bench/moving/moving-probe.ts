import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RawViewer } from '../../e2e/support/raw-viewer.js';
import type { Page, PageServer } from '../page-server.js';
import { median, pause, until } from '../statistics.js';
import { writeFilm } from '../sizing/film-file.js';
import { Service } from '../targets/ours.js';
import { withDirectory } from '../viewer.js';

/** A page of moving pictures: its rate, and the goal for the frames that arrive in a second. */
interface Kind {
  page: Page;
  mode: 'smooth' | 'sharp' | 'blocky';
  fps: number;
  goal: number;
}

const NOISE = { page: 'noise', fps: 24, goal: 12 } as const;
const KINDS: readonly Kind[] = [
  { ...NOISE, mode: 'smooth' },
  { ...NOISE, mode: 'sharp' },
  { ...NOISE, mode: 'blocky' },
  // At most 2 % of the frames may be lost.
  { page: 'film', mode: 'smooth', fps: 30, goal: 29.4 },
];
/** Milliseconds until the stream has found its quality. */
const SETTLE_MS = 4_000;
const SECONDS = 8;

/** Frames of one kind that arrive: one value for each round. */
export interface MovingResult extends Kind {
  /** Frames per second that arrive at a viewer, without refinements. */
  frames: number[];
  /** Longest time between two frames, in milliseconds. */
  gaps: number[];
  megabits: number[];
}

/** Measures pages on which every pixel changes with each picture: noise and a film. They take turns. */
export async function measureMoving(
  pages: PageServer,
  rounds: number,
  tell: (text: string) => void,
): Promise<MovingResult[]> {
  await withDirectory(async (directory) => {
    const path = join(directory, 'film.webm');
    await writeFilm(path);
    pages.setFilm(await readFile(path));
  });
  const results = KINDS.map((kind): MovingResult => ({ ...kind, frames: [], gaps: [], megabits: [] }));
  for (let round = 1; round <= rounds; round++)
    for (const result of results) {
      tell(`${result.page}, ${result.mode}, round ${round} of ${rounds} … `);
      await withDirectory((directory) => measure(pages, result, directory));
      tell(`${result.frames.at(-1)?.toFixed(1)} frames/s\n`);
    }
  return results;
}

async function measure(pages: PageServer, result: MovingResult, directory: string): Promise<void> {
  const service = await Service.start(directory, { WARM_HOSTS: '0' });
  try {
    const form = { fps: result.fps, quality: { mode: result.mode } };
    const viewer = await RawViewer.open(await service.createSession(pages.address(result.page), form));
    await until(() => Promise.resolve(viewer.packets.length > 0), 'The session shows nothing.', 60_000);
    await pause(SETTLE_MS);
    const from = performance.now();
    await pause(SECONDS * 1_000);
    const to = performance.now();
    const packets = viewer.packets.filter(({ at }) => at >= from && at < to);
    viewer.close();
    const frames = packets.filter(({ refinement }) => !refinement);
    const times = [from, ...frames.map(({ at }) => at), to];
    result.frames.push(frames.length / ((to - from) / 1_000));
    result.gaps.push(Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))));
    const bytes = packets.reduce((sum, packet) => sum + packet.bytes, 0);
    result.megabits.push((bytes * 8) / 1e3 / (to - from));
  } finally {
    await service.stop();
  }
}

const HEADER = [
  'page',
  'quality',
  'pictures/s',
  'frames/s that arrive',
  'goal',
  'longest gap (ms)',
  'Mbit/s',
];

/** The medians as a Markdown table. */
export function movingTable(results: readonly MovingResult[]): string {
  const rows = results.map(({ page, mode, fps, goal, frames, gaps, megabits }) => [
    ...[page, mode, `${fps}`, median(frames).toFixed(1), `at least ${goal}`],
    ...[median(gaps).toFixed(0), median(megabits).toFixed(1)],
  ]);
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
