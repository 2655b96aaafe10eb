import { readFileSync } from 'node:fs';
import { RawViewer } from '../../e2e/support/raw-viewer.js';
import type { PageServer } from '../page-server.js';
import { memoryOf, swappedOf } from '../resources.js';
import { median, pause, until } from '../statistics.js';
import { Service, type CreatedSession } from '../targets/ours.js';
import { withDirectory } from '../viewer.js';
import { inGroup, ownGroup, removeGroup } from '../../support/own-group.js';

/** Memory of one session, on average of all sessions that run at the same time. */
export interface MemoryResult {
  sessions: number;
  state: 'watched' | 'without a viewer' | 'in standby';
  /** Bytes of memory, and bytes that were moved to the machine's swap. */
  memory: number;
  swapped: number;
  /** Milliseconds until the service answers a question to the browser, of each session. */
  answers: number[];
}

const NUMBERS = [1, 4, 8];
/** Goals in MB: with eight sessions, and for one in standby. */
const GOALS = { watched: 200, 'in standby': 60 };
/** Milliseconds until a page is loaded and the start is complete. */
const SETTLE_MS = 5_000;
const STANDBY_SECONDS = 10;
/** Milliseconds until all sessions are in standby, and until the kernel has moved their memory. */
const STANDBY_TIMEOUT_MS = 60_000;
const RECLAIM_TIMEOUT_MS = 90_000;
/** The kernel has moved the memory when less than this share of it goes within {@link SETTLE_MS}. */
const STILL = 0.02;

/** Measures the memory of sessions that are watched, left alone and frozen. */
export async function measureMemory(
  pages: PageServer,
  tell: (text: string) => void,
): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const sessions of NUMBERS) {
    tell(`Memory of ${sessions} sessions … `);
    results.push(...(await withDirectory((directory) => measure(pages, sessions, directory))));
    tell('done\n');
  }
  return results;
}

async function measure(pages: PageServer, sessions: number, directory: string): Promise<MemoryResult[]> {
  const group = ownGroup();
  const environment = {
    ...{ WARM_HOSTS: '0', MAX_SESSIONS: `${sessions}`, STANDBY_SECONDS: `${STANDBY_SECONDS}` },
  };
  const service = await Service.start(directory, environment, undefined, inGroup(group));
  const viewers: RawViewer[] = [];
  try {
    const alone = memoryOf([service.pid]);
    const created: CreatedSession[] = [];
    for (let count = 0; count < sessions; count++) {
      const page = `${pages.address('scroll')}?still`;
      const session = await service.createSession(page, { standby: true, fps: 30 });
      created.push(session);
      const viewer = await RawViewer.open(session);
      viewers.push(viewer);
      await until(() => Promise.resolve(viewer.packets.length > 0), 'A session shows nothing.', 60_000);
    }
    const result = async (state: MemoryResult['state']): Promise<MemoryResult> => {
      const memory = (memoryOf([service.pid]) - alone) / sessions;
      const swapped = swappedOf([service.pid]) / sessions;
      const answers: number[] = [];
      for (const session of created) answers.push(await answerTime(session));
      return { sessions, state, memory, swapped, answers };
    };
    await pause(SETTLE_MS);
    const watched = await result('watched');
    for (const viewer of viewers) viewer.close();
    await pause(SETTLE_MS);
    const left = await result('without a viewer');
    await until(() => service.allInStandby(sessions), 'A session is not frozen.', STANDBY_TIMEOUT_MS);
    await memoryIsStill(service.pid);
    return [watched, left, await result('in standby')];
  } finally {
    for (const viewer of viewers) viewer.close();
    await service.stop();
    if (group !== undefined) await removeGroup(group);
  }
}

/** Resolves when the memory of a service and its sessions does not shrink any more. */
async function memoryIsStill(service: number): Promise<void> {
  const limit = performance.now() + RECLAIM_TIMEOUT_MS;
  let before = Infinity;
  for (let now = memoryOf([service]); now < before * (1 - STILL); now = memoryOf([service])) {
    if (performance.now() > limit) return;
    before = now;
    await pause(SETTLE_MS);
  }
}

/** Milliseconds until the browser of a session has answered a backend. */
async function answerTime({ embed_url, admin_token }: CreatedSession): Promise<number> {
  const [base = ''] = embed_url.split('?');
  const began = performance.now();
  const response = await fetch(`${base}/tabs.query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_token}` },
    body: '[{}]',
  });
  await response.text();
  if (!response.ok) throw new Error(`A session answered ${response.status}.`);
  return performance.now() - began;
}

const HEADER = [
  ...['sessions', 'state', 'memory each (MB)', 'goal', 'of it moved to swap (MB)'],
  'answer of the browser, p50 / max (ms)',
];

/** The results as a Markdown table. */
export function memoryTable(results: readonly MemoryResult[]): string {
  const most = Math.max(...results.map(({ sessions }) => sessions));
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const rows = results.map(({ sessions, state, memory, swapped, answers }) => {
    const goal = sessions === most && state !== 'without a viewer' ? `at most ${GOALS[state]}` : '';
    const times = `${median(answers).toFixed(0)} / ${Math.max(...answers).toFixed(0)}`;
    return [`${sessions}`, state, megabytes(memory), goal, megabytes(swapped), times];
  });
  const cells = [HEADER, HEADER.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return [...cells, '', hasSwap() ? 'The machine has swap.' : 'The machine has no swap.'].join('\n');
}

function hasSwap(): boolean {
  return readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1;
}
