import { systemClock } from '../../../server/src/platform/time/clock.js';
import { createLog } from '../../../server/src/platform/log.js';
import { EgressProcess } from '../../../server/src/pool/egress-process.js';
import { processorTime, secondsBetween } from '../resources.js';
import { median } from '../statistics.js';
import { withDirectory } from '../viewer.js';
import { withBrowser } from './download-browser.js';
import { DownloadServer, type Download } from './download-server.js';

const MEGABYTE = 1e6;
/** A link of 1 Gbit/s. */
const GIGABIT = 125 * MEGABYTE;

/** Measured downloads, with their titles in the table. */
const KINDS: readonly (Download & { title: string })[] = [
  { title: 'HTTP, as fast as it goes', secure: false, size: 200 * MEGABYTE },
  { title: 'HTTPS, as fast as it goes', secure: true, size: 200 * MEGABYTE },
  { title: 'HTTP, a link of 1 Gbit/s', secure: false, size: 125 * MEGABYTE, rate: GIGABIT },
  { title: 'HTTPS, a link of 1 Gbit/s', secure: true, size: 125 * MEGABYTE, rate: GIGABIT },
];
/** Downloads of one browser, the first of which does not count. */
const DOWNLOADS = 4;

/** Megabytes a second of each pair: without the guard and with it. */
export interface DownloadResult {
  title: string;
  without: number[];
  behind: number[];
  /** Processor time of the guard, in seconds a gigabyte. */
  cost: number[];
}

/** Downloads without the guard and behind it in turn, in browsers that differ in nothing else. */
export async function measureDownloads(
  rounds: number,
  tell: (text: string) => void,
): Promise<DownloadResult[]> {
  const egress = await EgressProcess.start({
    settings: { allow: ['127.0.0.1'], nameServers: [] },
    environment: { PATH: '/usr/bin:/bin' },
    clock: systemClock,
    log: createLog('warn', tell),
    onRefused: () => undefined,
    onRestart: () => undefined,
  });
  try {
    return await withDirectory(async (directory) => {
      const server = await DownloadServer.start(directory);
      try {
        const results: DownloadResult[] = [];
        for (const { title, ...download } of KINDS) {
          const result: DownloadResult = { title, without: [], behind: [], cost: [] };
          for (let round = 0; round < rounds; round++) {
            const order = [undefined, egress];
            for (const guard of round % 2 === 0 ? order : order.reverse()) {
              const before = secondsOf(egress);
              (guard ? result.behind : result.without).push(await measure(server, download, guard));
              const gigabytes = (DOWNLOADS * download.size) / 1e9;
              if (guard) result.cost.push((secondsOf(egress) - before) / gigabytes);
            }
          }
          tell(`${downloadRow(result)}\n`);
          results.push(result);
        }
        return results;
      } finally {
        await server.close();
      }
    });
  } finally {
    await egress.close();
  }
}

/** Processor time that the guard has used. */
function secondsOf({ pid }: EgressProcess): number {
  return secondsBetween(new Map(), processorTime(pid === undefined ? [] : [pid]).others);
}

/** The median of one browser's downloads, in megabytes a second. */
async function measure(server: DownloadServer, download: Download, egress: EgressProcess | undefined) {
  const speeds: number[] = [];
  await withBrowser(server.page(download), egress, async () => {
    for (let count = 0; count < DOWNLOADS; count++) speeds.push(await server.measure(download));
    server.forget();
  });
  return median(speeds.slice(1)) / MEGABYTE;
}

/** A row of the table of downloads. */
function downloadRow({ title, without, behind, cost }: DownloadResult): string {
  const ratios = behind.map((speed, round) => speed / (without[round] ?? NaN));
  const cells = [median(without), median(behind), 100 * median(ratios)].map((value) => value.toFixed(0));
  return `| ${[title, ...cells, median(cost).toFixed(1)].join(' | ')} |`;
}

const HEADER = [
  ...['a download', 'MB/s without the guard', 'MB/s behind it', 'share in %, median of pairs'],
  'processor time of the guard (s/GB)',
];

/** The downloads as a Markdown table. */
export function downloadTable(results: readonly DownloadResult[]): string {
  const head = [HEADER, HEADER.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`);
  return [...head, ...results.map(downloadRow)].join('\n');
}
