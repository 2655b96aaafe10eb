import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changePageIsShown,
  CHANGES,
  clickToChange,
  showScene,
  WATCHED,
  type Change,
} from '../changes/change-probe.js';
import type { PageServer } from '../page-server.js';
import type { Screen } from '../screen.js';
import { pause } from '../statistics.js';
import { Service } from '../targets/ours.js';
import { Viewer, withDirectory } from '../viewer.js';
import { measureHostWork } from './host-work.js';
import { momentsOf, packetsOf, type Click } from './moments.js';
import { READ_RECORDS, RECORDER, type PageRecords } from './page-records.js';
import type { StagedClicks, StageFigures } from './stage-table.js';
import { DEBUGGING_FLAGS, ViewerPage } from './viewer-page.js';

/** Time for the session to become steady after its first picture, and to hide its start messages. */
const SETTLE_MS = 3_000;
/**
 * Clicks before the measurement of a kind. The viewer compares two ways of painting over its first 14
 * pictures, and each click has three pictures.
 */
const WARM_UP_CLICKS = 5;
/** Minimum milliseconds between two clicks. The refinements of a picture arrive before the next click. */
const GAP_MS = 600;

const HOST_CLOCK = new URL('host-clock.mjs', import.meta.url).href;

/** Options of {@link measureStages}. */
export interface StageOptions {
  rounds: number;
  /** Clicks for each kind of change in a round. */
  clicks: number;
}

/** A session that a viewer shows. */
interface Scene {
  screen: Screen;
  viewerPage: ViewerPage;
  /** Start of the host's monotonic clock, in epoch milliseconds. */
  hostStart: number;
}

/** Measures the stages of clicks for each kind of change, and the host's own work. */
export async function measureStages(
  pages: PageServer,
  { rounds, clicks }: StageOptions,
  tell: (text: string) => void,
): Promise<StageFigures> {
  const none = () => ({ clicks: [], lost: 0 });
  const figures: StageFigures = {
    title: 'stages of a click',
    clicks: { solid: none(), panel: none(), dark: none(), photograph: none() },
    hostWork: undefined,
    failures: [],
  };
  const attempt = async (what: string, measure: () => Promise<void>) => {
    tell(`Stages of a click, ${what} … `);
    try {
      await measure();
      tell('done\n');
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      figures.failures.push(`${what}: ${sentence}`);
      tell(`failed: ${sentence}\n`);
    }
  };
  for (let round = 1; round <= rounds; round++)
    await attempt(`round ${round} of ${rounds}`, () =>
      inScene(pages.address('changes'), async (scene) => {
        for (const change of CHANGES) await measure(scene, change, clicks, figures.clicks[change]);
      }),
    );
  await attempt("the host's own work", async () => {
    const solid = await measureHostWork('solid');
    figures.hostWork = { solid, panel: await measureHostWork('panel') };
  });
  return figures;
}

/** Starts the service, a session and a viewer, and runs a measurement on them. */
function inScene(page: string, body: (scene: Scene) => Promise<void>): Promise<void> {
  return withDirectory(async (directory) => {
    const [server, client] = [join(directory, 'server'), join(directory, 'client')];
    await Promise.all([mkdir(server), mkdir(client)]);
    const clock = join(directory, 'host-clock');
    const preload = ['--import', `${HOST_CLOCK}?file=${encodeURIComponent(clock)}`];
    // Without warm hosts, the only clock in the file is that of the session's host.
    const service = await Service.start(server, { WARM_HOSTS: '0' }, undefined, [], preload);
    try {
      const { embed_url } = await service.createSession(page);
      const viewer = await Viewer.open('about:blank', client, { flags: DEBUGGING_FLAGS });
      try {
        const { screen } = viewer;
        const viewerPage = await ViewerPage.connect(join(client, 'viewer'));
        try {
          await viewerPage.open(embed_url, RECORDER);
          await changePageIsShown(screen);
          await pause(SETTLE_MS);
          await body({ screen, viewerPage, hostStart: await startOfHost(clock) });
        } finally {
          viewerPage.close();
        }
      } finally {
        await viewer.close();
      }
    } finally {
      await service.stop();
    }
  });
}

/** Clicks, and adds the moments of each click to the result. Fails if more than a fifth of them is lost. */
async function measure(
  { screen, viewerPage, hostStart }: Scene,
  change: Change,
  count: number,
  result: StagedClicks,
): Promise<void> {
  await showScene(screen, change);
  const clicks: Click[] = [];
  for (let nth = 0; nth < WARM_UP_CLICKS + count; nth++) {
    // Random, so that clicks do not fall into step with frames.
    await pause(GAP_MS + Math.random() * 200);
    const timed = await clickToChange(screen, change);
    if (!timed || nth < WARM_UP_CLICKS) continue;
    const { timeOrigin } = performance;
    clicks.push({ start: timeOrigin + timed.pressed, shown: timeOrigin + timed.shown });
  }
  const records = (await viewerPage.evaluate(READ_RECORDS)) as PageRecords;
  const packets = packetsOf(records, hostStart);
  const complete = clicks.flatMap((click) => momentsOf(click, records, packets, WATCHED[change]) ?? []);
  const lost = count - complete.length;
  if (lost > count * 0.2) throw new Error(`${change}: ${lost} of ${count} clicks have no complete record.`);
  result.clicks.push(...complete);
  result.lost += lost;
}

/** Reads the start of the host's clock, in epoch milliseconds. */
async function startOfHost(clock: string): Promise<number> {
  const lines = (await readFile(clock, 'utf8')).trim().split('\n');
  if (lines.length !== 1) throw new Error(`${lines.length} hosts were started instead of one.`);
  return Number(lines[0]);
}
