import { clickPageIsShown, clickTimes } from '../click-probe.js';
import type { PageServer } from '../page-server.js';
import { shown } from '../shown.js';
import { median, pause, percentile, until } from '../statistics.js';
import { Service, type CreatedSession } from '../targets/ours.js';
import type { Target } from '../targets/target.js';
import { BusyAgent } from './busy-agent.js';

/** Time for the picture to become steady. Milliseconds. */
const SETTLE_MS = 2_000;
/** Times that clicks without and with an agent take turns in a round. */
const TURNS = 2;
/** Maximum of the ratio of the medians. */
const GOAL = 1.2;

/** Clicks of a round: milliseconds from the press to the changed pixel. */
export interface AgentResult {
  without: number[];
  busy: number[];
  /** Commands a second that the agent sent meanwhile. */
  commands: number;
}

/**
 * Measures clicks of a viewer without an agent, and with one that is busy in another tab. They take turns in
 * one session.
 */
export async function measureAgent(
  pages: PageServer,
  { rounds, clicks }: { rounds: number; clicks: number },
  tell: (text: string) => void,
): Promise<AgentResult[]> {
  const results: AgentResult[] = [];
  for (let round = 1; round <= rounds; round++) {
    tell(`clicks beside a busy agent, round ${round} of ${rounds} … `);
    results.push(await measureRound(pages, clicks));
    tell(`${(ratioOf(results.at(-1)) ?? NaN).toFixed(2)} times as long\n`);
  }
  return results;
}

async function measureRound(pages: PageServer, atLeast: number): Promise<AgentResult> {
  // An even number of clicks leaves the page as it was.
  const clicks = atLeast + (atLeast % 2);
  const driven: { session?: CreatedSession } = {};
  return shown(target(driven), pages.address('click'), async ({ screen }) => {
    await until(() => clickPageIsShown(screen), 'The click page does not show.');
    const url = driven.session?.cdp_url ?? '';
    const result: AgentResult = { without: [], busy: [], commands: 0 };
    for (let turn = 0; turn < TURNS; turn++) {
      await pause(SETTLE_MS);
      result.without.push(...(await clickTimes(screen, clicks)).times);
      const agent = await BusyAgent.start(url, pages.address('click'));
      try {
        await pause(SETTLE_MS);
        const [from, before] = [performance.now(), agent.commands];
        result.busy.push(...(await clickTimes(screen, clicks)).times);
        result.commands += ((agent.commands - before) / (performance.now() - from)) * (1_000 / TURNS);
      } finally {
        await agent.stop();
      }
    }
    return result;
  });
}

/** A session that programs drive. */
function target(driven: { session?: CreatedSession }): Target {
  return {
    ...{ name: 'ours', title: 'cloud-browser with an agent' },
    async start(page, directory) {
      const service = await Service.start(directory);
      try {
        // In a kiosk, a second page is a window in front of the first one.
        driven.session = await service.createSession(page, { automation: true, kiosk: false });
      } catch (error) {
        await service.stop();
        throw error;
      }
      return {
        ...{ viewerAddress: driven.session.embed_url, port: service.port },
        ...{ serverProcesses: [service.pid], stop: () => service.stop() },
      };
    },
  };
}

function ratioOf(result: AgentResult | undefined): number | undefined {
  return result && percentile(result.busy, 0.5) / percentile(result.without, 0.5);
}

/** The results as a Markdown table. The ratio is the median of the ratios of the rounds. */
export function agentTable(results: readonly AgentResult[]): string {
  const all = (kind: 'without' | 'busy') => results.flatMap((result) => result[kind]);
  const times = (kind: 'without' | 'busy') =>
    [0.5, 0.95].map((share) => percentile(all(kind), share).toFixed(1)).join(' / ');
  const ratio = median(results.map((result) => ratioOf(result) ?? NaN));
  const commands = median(results.map((result) => result.commands));
  const rows = [
    ['a viewer’s click', 'click to pixel p50 / p95 (ms)', 'clicks', 'commands/s', 'ratio', 'goal'],
    ['---', '---', '---', '---', '---', '---'],
    ['without an agent', times('without'), `${all('without').length}`, '-', '1', '-'],
    [
      ...['with an agent that is busy in another tab', times('busy'), `${all('busy').length}`],
      ...[commands.toFixed(0), ratio.toFixed(2), `at most ${GOAL}`],
    ],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
