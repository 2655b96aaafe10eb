import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RawViewer } from '../../e2e/support/raw-viewer.js';
import type { PageServer } from '../page-server.js';
import { memoryOf, processorTime, secondsBetween } from '../resources.js';
import { pause, until } from '../statistics.js';
import { Service } from '../targets/ours.js';
import { withDirectory } from '../viewer.js';
import { writeFilm } from './film-file.js';

/** The resources that a session with one kind of page uses. */
export interface SizingResult {
  what: string;
  size: string;
  /** Frames per second of a viewer that receives every frame. */
  frames: number;
  megabits: number;
  /** Share of a core, 0 to 1 and more, and Chromium's part of it. */
  processor: number;
  chromium: number;
  /** Memory in bytes. */
  memory: number;
}

/** Sessions that run at the same time. Memory of program files that they share is divided between them. */
const SESSIONS = 2;
const FRAMES_PER_SECOND = 30;
/** Milliseconds until a page is loaded, its first frame is sharp and the start is complete. */
const SETTLE_MS = 6_000;
const SECONDS = 20;
/** Milliseconds between two turns of the wheel, by three notches each, as a reader would. */
const READ_EVERY_MS = 2_000;
const NOTCHES_PX = 300;
/** Share of all cores that sessions may use together. The rest is a reserve for moments of high load. */
const FULL = 0.7;

interface Kind {
  what: string;
  address: (pages: PageServer) => string;
  reads?: true;
  sizes: readonly [width: number, height: number][];
}

const HD: [number, number] = [1280, 720];
const FULL_HD: [number, number] = [1920, 1080];
const KINDS: readonly Kind[] = [
  { what: 'a page of text, still', address: (pages) => `${pages.address('scroll')}?still`, sizes: [HD] },
  {
    what: 'the same, read: three notches of the wheel every 2 s',
    address: (pages) => `${pages.address('scroll')}?still`,
    reads: true,
    sizes: [HD],
  },
  {
    what: 'the same, scrolling all the time',
    address: (pages) => pages.address('scroll'),
    sizes: [HD, FULL_HD],
  },
  {
    what: 'a film of 720p, over the whole page',
    address: (pages) => pages.address('film'),
    sizes: [HD, FULL_HD],
  },
];

/** Measures sessions with one viewer each, kind by kind. Starts another service for each kind. */
export async function measureSizing(
  pages: PageServer,
  tell: (text: string) => void,
): Promise<SizingResult[]> {
  await withDirectory(async (directory) => {
    const path = join(directory, 'film.webm');
    await writeFilm(path);
    pages.setFilm(await readFile(path));
  });
  const results: SizingResult[] = [];
  for (const kind of KINDS)
    for (const size of kind.sizes) {
      tell(`${kind.what}, ${size.join(' × ')} … `);
      results.push(await withDirectory((directory) => measure(pages, kind, size, directory)));
      tell(`${((results.at(-1)?.processor ?? NaN) * 100).toFixed(0)} % of a core\n`);
    }
  return results;
}

async function measure(
  pages: PageServer,
  { what, address, reads }: Kind,
  [width, height]: [number, number],
  directory: string,
): Promise<SizingResult> {
  const service = await Service.start(directory, { WARM_HOSTS: '0' });
  const viewers: RawViewer[] = [];
  try {
    const alone = memoryOf([service.pid]);
    for (let count = 0; count < SESSIONS; count++) {
      const form = { width, height, fps: FRAMES_PER_SECOND };
      const viewer = await RawViewer.open(await service.createSession(address(pages), form));
      viewers.push(viewer);
      await until(() => Promise.resolve(viewer.packets.length > 0), 'A session shows nothing.', 60_000);
    }
    await pause(SETTLE_MS);
    const reading = reads && setInterval(() => viewers.forEach(turnWheel), READ_EVERY_MS);
    const before = processorTime([service.pid]);
    const from = performance.now();
    await pause(SECONDS * 1_000);
    const seconds = (performance.now() - from) / 1_000;
    const after = processorTime([service.pid]);
    clearInterval(reading);
    const packets = viewers.flatMap((viewer) =>
      viewer.packets.filter(({ at }) => at >= from && at < from + seconds * 1_000),
    );
    const each = (sum: number) => sum / SESSIONS;
    const chromium = secondsBetween(before.chromium, after.chromium);
    const all = chromium + secondsBetween(before.others, after.others);
    return {
      ...{ what, size: `${width} × ${height}` },
      frames: each(packets.filter(({ refinement }) => !refinement).length) / seconds,
      megabits: (each(packets.reduce((sum, { bytes }) => sum + bytes, 0)) * 8) / 1e6 / seconds,
      ...{ processor: each(all) / seconds, chromium: each(chromium) / seconds },
      memory: each(memoryOf([service.pid]) - alone),
    };
  } finally {
    for (const viewer of viewers) viewer.close();
    await service.stop();
  }
}

let turns = 0;

function turnWheel(viewer: RawViewer): void {
  const at = { x: 640, y: 360, modifiers: 0 };
  viewer.send({
    ...{ type: 'wheel', seq: (turns += 1), ...at },
    ...{ deltaX: 0, deltaY: NOTCHES_PX, notched: true },
  });
}

const HEADER = [
  ...['page', 'size', 'frames/s', 'Mbit/s', 'processor (% of a core)', "Chromium's part of it"],
  ...['memory (MB)', `sessions a core, at ${FULL * 100} %`, 'sessions a GiB'],
];

/** The results as a Markdown table. */
export function sizingTable(results: readonly SizingResult[]): string {
  const rows = results.map(({ what, size, frames, megabits, processor, chromium, memory }) => {
    const share = processor > 0.1 ? 0 : 1;
    return [
      ...[what, size, frames.toFixed(1), megabits.toFixed(1)],
      ...[(processor * 100).toFixed(share), (chromium * 100).toFixed(share)],
      ...[(memory / 2 ** 20).toFixed(0), (FULL / processor).toFixed(1), (2 ** 30 / memory).toFixed(1)],
    ];
  });
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
