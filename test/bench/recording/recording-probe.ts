import { RawViewer } from '../../e2e/support/raw-viewer.js';
import type { PageServer } from '../page-server.js';
import { memoryBesideChromium, processorTime, secondsBetween } from '../resources.js';
import { median, pause, until } from '../statistics.js';
import { Service } from '../targets/ours.js';
import { withDirectory } from '../viewer.js';

/** Milliseconds until a page is loaded, its first frame is sharp and the start is complete. */
const SETTLE_MS = 8_000;
/** Seconds after which processor time and memory are read. */
const SECONDS = 45;
/** Seconds after which the bytes of a still page are read. It has a key frame in up to four minutes. */
const STILL_SECONDS = 230;
const FRAMES_PER_SECOND = 30;
/** Goals: share of a core, MB, and bytes a second of a still page. */
const GOAL = { processor: 5, memory: 20, bytes: 2_000 };

/** Cost of one session with a viewer. */
interface Cost {
  /** Share of a core. */
  processor: number;
  /**
   * Bytes of memory beside Chromium. Chromium's own memory differs by up to 150 MB from run to run, and a
   * recording does not change it.
   */
  memory: number;
  /** Bytes of its recording a second. 0 without one. */
  bytes: number;
}

/** One page, shown by sessions without and with a recording, in turn. */
export interface RecordingResult {
  page: string;
  isStill: boolean;
  without: Cost[];
  recorded: Cost[];
}

const PAGES = [
  { page: 'a page of text, still', isStill: true, path: '?still' },
  { page: 'the same, scrolling all the time', isStill: false, path: '' },
];

/** Measures a session with a viewer, without and with a recording. */
export async function measureRecording(
  pages: PageServer,
  rounds: number,
  tell: (text: string) => void,
): Promise<RecordingResult[]> {
  const results = PAGES.map(({ page, isStill }): RecordingResult => {
    return { page, isStill, without: [], recorded: [] };
  });
  for (let round = 1; round <= rounds; round++)
    for (const [nth, { page, path, isStill }] of PAGES.entries())
      for (const record of [false, true]) {
        tell(`${page}, ${record ? 'recorded' : 'not recorded'}, round ${round} of ${rounds} … `);
        const address = `${pages.address('scroll')}${path}`;
        const seconds = isStill && record ? STILL_SECONDS : SECONDS;
        const cost = await withDirectory((directory) => measure({ address, record, seconds, directory }));
        results[nth]?.[record ? 'recorded' : 'without'].push(cost);
        tell(`${(cost.processor * 100).toFixed(1)} % of a core\n`);
      }
  return results;
}

async function measure(order: {
  address: string;
  record: boolean;
  seconds: number;
  directory: string;
}): Promise<Cost> {
  const { address, record, directory } = order;
  const service = await Service.start(directory, { WARM_HOSTS: '0' });
  let viewer: RawViewer | undefined;
  try {
    const alone = memoryBesideChromium([service.pid]);
    const session = await service.createSession(address, { fps: FRAMES_PER_SECOND, record });
    const opened = await RawViewer.open(session);
    viewer = opened;
    await until(() => Promise.resolve(opened.packets.length > 0), 'A session shows nothing.', 60_000);
    await pause(SETTLE_MS);
    const recorded = () => (record ? service.recordedBytes(session.session_id) : 0);
    const bytes = await recorded();
    const before = processorTime([service.pid]);
    const from = performance.now();
    await pause(SECONDS * 1_000);
    const seconds = secondsSince(from);
    const after = processorTime([service.pid]);
    const memory = memoryBesideChromium([service.pid]) - alone;
    const used =
      secondsBetween(before.chromium, after.chromium) + secondsBetween(before.others, after.others);
    await pause((order.seconds - SECONDS) * 1_000);
    const grown = (await recorded()) - bytes;
    return { processor: used / seconds, memory, bytes: grown / secondsSince(from) };
  } finally {
    viewer?.close();
    await service.stop();
  }
}

const secondsSince = (from: number) => (performance.now() - from) / 1_000;

const HEADER = [
  ...['page', 'processor without / with (% of a core)', 'of it the recording', 'goal'],
  ...[
    'memory beside Chromium without / with (MB)',
    'of it the recording',
    'goal',
    'recording (kB/s)',
    'goal',
  ],
];

/** The results as a Markdown table, with the median of all rounds, and of the differences in a round. */
export function recordingTable(results: readonly RecordingResult[]): string {
  const rows = results.map(({ page, isStill, without, recorded }) => {
    const cells = (valueOf: (cost: Cost) => number, digits: number) => {
      const differences = recorded.map((cost, nth) => valueOf(cost) - valueOf(without[nth] ?? cost));
      const medians = [without, recorded].map((costs) => median(costs.map(valueOf)).toFixed(digits));
      return [medians.join(' / '), median(differences).toFixed(digits)];
    };
    return [
      ...[page, ...cells(({ processor }) => processor * 100, 1), `at most ${GOAL.processor}`],
      ...[...cells(({ memory }) => memory / 2 ** 20, 0), `at most ${GOAL.memory}`],
      (median(recorded.map(({ bytes }) => bytes)) / 1_000).toFixed(1),
      isStill ? `below ${GOAL.bytes / 1_000}` : '',
    ];
  });
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
