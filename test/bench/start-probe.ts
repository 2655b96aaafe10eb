import { clickPageIsShown } from './click-probe.js';
import type { PageServer } from './page-server.js';
import { busyShare, machineTime } from './resources.js';
import { median, pause, percentile, until } from './statistics.js';
import { Service } from './targets/ours.js';
import { Viewer, withDirectory } from './viewer.js';

/** Kinds of prepared starts, with the service's variables for each. */
const KINDS = {
  'a browser that runs': { WARM_HOSTS: '1', WARM_BROWSERS: '1' },
  'a host with display and sound': { WARM_HOSTS: '1', WARM_BROWSERS: '0' },
  nothing: { WARM_HOSTS: '0', WARM_BROWSERS: '0' },
};

/** All starts of one kind, in milliseconds from the request. */
export interface StartResult {
  /** Kind of the start: the part that was ready before the request. */
  waiting: string;
  /** Milliseconds to the answer of the request. */
  created: number[];
  /** Milliseconds to the page's colour on the viewer's screen. */
  firstPicture: number[];
  /** Starts on a machine that was not idle before. */
  restless: number;
}

/** The machine counts as idle when less than this share of it was busy for a second. */
const REST = 0.1;
/**
 * Milliseconds to wait for an idle machine. The start is then measured anyway, with the other load in its
 * figures.
 */
const REST_TIMEOUT_MS = 8_000;
/** Milliseconds from the end of a session until a browser is ready for the next. */
const WARM_BROWSER_TIMEOUT_MS = 60_000;

/**
 * Starts sessions one after the other, alternating between the kinds of prepared starts. Watches each in a
 * Chromium that is already running.
 */
export async function measureStarts(
  pages: PageServer,
  rounds: number,
  starts: number,
  tell: (text: string) => void,
): Promise<StartResult[]> {
  const results = Object.entries(KINDS).map(([waiting, environment]) => {
    const result: StartResult = { waiting, created: [], firstPicture: [], restless: 0 };
    return { result, environment };
  });
  for (let round = 1; round <= rounds; round++) {
    for (const { result, environment } of results) {
      tell(`Starts, round ${round} of ${rounds}, ${result.waiting} waits … `);
      await withDirectory(async (directory) => {
        const service = await Service.start(directory, environment);
        try {
          if (environment.WARM_BROWSERS !== '0') await service.warm();
          for (let start = 0; start < starts; start++) {
            await measureStart(pages, service, result);
            tell(`${result.firstPicture.at(-1)?.toFixed(0)} `);
          }
        } finally {
          await service.stop();
        }
      });
      tell('ms\n');
    }
  }
  return results.map(({ result }) => result);
}

function measureStart(pages: PageServer, service: Service, result: StartResult): Promise<void> {
  return withDirectory(async (directory) => {
    const viewer = await Viewer.open(pages.address('launch'), directory);
    try {
      await until(() => Promise.resolve(pages.launchIsWaiting), 'The viewer does not start.');
      await until(() => service.isWarm(), 'No browser waits.', WARM_BROWSER_TIMEOUT_MS);
      if (!(await machineRests())) result.restless++;
      const requested = performance.now();
      const session = await service.createSession(pages.address('click'));
      result.created.push(performance.now() - requested);
      pages.launch(session.embed_url);
      await until(() => clickPageIsShown(viewer.screen), 'The session does not show.');
      result.firstPicture.push(performance.now() - requested);
      await service.endSession(session.session_id);
    } finally {
      await viewer.close();
    }
  });
}

/**
 * Resolves to true if the machine was idle for a second within the timeout. The viewer has then started and
 * the service has prepared itself.
 */
async function machineRests(): Promise<boolean> {
  for (const end = performance.now() + REST_TIMEOUT_MS; performance.now() < end;) {
    const before = machineTime();
    await pause(1_000);
    if (busyShare(before, machineTime()) < REST) return true;
  }
  return false;
}

/** The results as a Markdown table. */
export function startTable(results: readonly StartResult[]): string {
  const both = (times: readonly number[]) =>
    `${median(times).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)}`;
  const rows = results.map(({ waiting, created, firstPicture, restless }) => [
    waiting,
    ...[both(created), both(firstPicture)],
    `${created.length}, ${restless} of them on a busy machine`,
  ]);
  const header = [
    'what waits for a session',
    'created p50 / p95 (ms)',
    'first picture p50 / p95 (ms)',
    'starts',
  ];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
