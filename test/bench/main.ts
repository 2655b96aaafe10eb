/** Measures this project beside its peers in one run; see docs/benchmarks.md. */
import { writeFile } from 'node:fs/promises';
import { agentTable, measureAgent } from './agent/agent-probe.js';
import { changeTable, measureChanges } from './changes/changes.js';
import { measureClicks } from './click-probe.js';
import { downloadTable, measureDownloads } from './downloads/download-probe.js';
import { hopTable, measureHop } from './hop/hop-probe.js';
import { linkTable } from './links/link-table.js';
import { measureLinks } from './links/links.js';
import { measureMemory, memoryTable } from './memory/memory-probe.js';
import { measureMoving, movingTable } from './moving/moving-probe.js';
import { parseOptions, USAGE, type BenchOptions, type TargetName } from './options.js';
import { PageServer, type Page } from './page-server.js';
import { machine, medians, table, type TargetResults } from './report.js';
import { measureScrolling, scrollPageIsShown } from './scroll-probe.js';
import { measureRecording, recordingTable } from './recording/recording-probe.js';
import { measureSeeks } from './seeks/seek-probe.js';
import { seekTable } from './seeks/seek-table.js';
import { shown } from './shown.js';
import { measureSizing, sizingTable } from './sizing/sizing-probe.js';
import { measureStages } from './stages/stage-probe.js';
import { stageTables } from './stages/stage-table.js';
import { measureStarts, startTable } from './start-probe.js';
import { pause } from './statistics.js';
import { local } from './targets/local.js';
import { ours } from './targets/ours.js';
import { screencast } from './targets/screencast.js';
import type { Target } from './targets/target.js';
import { vnc } from './targets/vnc.js';

/**
 * The time that a target gets after its first picture to reach a steady frame rate and hide its start
 * messages.
 */
const SETTLE_MS = 3_000;

/** Messages of a round over the hop between nodes, each way. */
const HOP_MESSAGES = 500;

/** One measurement; a failure becomes a sentence of the target's results. */
async function attempt(results: TargetResults, what: string, measure: () => Promise<void>): Promise<void> {
  process.stderr.write(`${results.title}: ${what} … `);
  try {
    await measure();
    process.stderr.write('done\n');
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    results.failures.push(`${what}: ${sentence}`);
    process.stderr.write(`failed: ${sentence}\n`);
  }
}

async function measureTarget(
  target: Target,
  address: (page: Page) => string,
  options: BenchOptions,
  results: TargetResults,
): Promise<void> {
  await attempt(results, 'clicks', () =>
    shown(target, address('click'), async ({ screen }) => {
      await pause(SETTLE_MS);
      results.clicks.push(await measureClicks(screen, options.clicks));
    }),
  );
  if (options.seconds === 0) return;
  await attempt(results, 'scrolling', () =>
    shown(target, address('scroll'), async ({ screen }, running) => {
      await scrollPageIsShown(screen);
      await pause(SETTLE_MS);
      results.scrolling.push(await measureScrolling(screen, running, options.seconds));
    }),
  );
}

const tell = (text: string): void => void process.stderr.write(text);

/** Measures the targets, in turn. */
async function measureTargets(pages: PageServer, options: BenchOptions): Promise<TargetResults[]> {
  const known: Record<TargetName, Target> = {
    local,
    ours,
    vnc,
    screencast: screencast(pages.address('screencast')),
  };
  const targets = options.only.map((name) => known[name]);
  const all = targets.map((target): TargetResults => {
    return { name: target.name, title: target.title, clicks: [], scrolling: [], failures: [] };
  });
  for (let round = 1; round <= options.rounds; round++) {
    tell(`\nRound ${round} of ${options.rounds}\n`);
    for (const [index, target] of targets.entries()) {
      const results = all[index];
      if (results === undefined) continue;
      await measureTarget(target, (page) => pages.address(page), options, results);
    }
  }
  return all;
}

/** Performs the measurements that need the benchmark's pages. */
async function measureOnPages(options: BenchOptions) {
  const pages = await PageServer.start();
  try {
    return {
      targets: await measureTargets(pages, options),
      starts: options.starts === 0 ? [] : await measureStarts(pages, options.rounds, options.starts, tell),
      changes: options.changes ? await measureChanges(pages, options, tell) : [],
      stages: options.stages ? await measureStages(pages, options, tell) : undefined,
      sizing: options.sizing ? await measureSizing(pages, tell) : [],
      memory: options.memory ? await measureMemory(pages, tell) : [],
      moving: options.moving ? await measureMoving(pages, options.rounds, tell) : [],
      recording: options.recording ? await measureRecording(pages, options.rounds, tell) : [],
      agent: options.agent ? await measureAgent(pages, options, tell) : [],
    };
  } finally {
    await pages.close();
  }
}

/** Performs all measurements that the options name, one after the other. */
async function measureAll(options: BenchOptions) {
  const { rounds, seconds, links } = options;
  const onPages = await measureOnPages(options);
  return {
    ...onPages,
    seeks: options.seeks ? await measureSeeks(options.against, tell) : [],
    downloads: options.egress ? await measureDownloads(rounds, tell) : [],
    hop: options.hop ? await measureHop(rounds, HOP_MESSAGES, Math.max(1, seconds)) : undefined,
    links: links.length === 0 ? [] : await measureLinks({ ...options, vnc: options.linksVnc }),
  };
}

type Figures = Awaited<ReturnType<typeof measureAll>>;

/** Returns a Markdown table for each measurement that took place. */
function tablesOf(figures: Figures): string[] {
  const { targets, changes, downloads, starts, hop, links, sizing, moving, memory, agent } = figures;
  const { recording, seeks, stages } = figures;
  return [
    ...(targets.length > 0 ? [table(targets)] : []),
    ...(changes.length > 0 ? [changeTable(changes)] : []),
    ...(stages ? [stageTables(stages)] : []),
    ...(downloads.length > 0 ? [downloadTable(downloads)] : []),
    ...(starts.length > 0 ? [startTable(starts)] : []),
    ...(hop ? [hopTable(hop)] : []),
    ...(links.length > 0 ? [linkTable(links)] : []),
    ...(sizing.length > 0 ? [sizingTable(sizing)] : []),
    ...(moving.length > 0 ? [movingTable(moving)] : []),
    ...(recording.length > 0 ? [recordingTable(recording)] : []),
    ...(seeks.length > 0 ? [seekTable(seeks)] : []),
    ...(agent.length > 0 ? [agentTable(agent)] : []),
    ...(memory.length > 0 ? [memoryTable(memory)] : []),
  ];
}

function withMedians(results: TargetResults) {
  return { ...results, medians: { ...medians(results.clicks), ...medians(results.scrolling) } };
}

/** Resolves to false if a measurement has failed. */
async function main(options: BenchOptions): Promise<boolean> {
  const figures = await measureAll(options);
  const info = machine();
  console.log(`\n${[Object.values(info).join(', '), ...tablesOf(figures)].join('\n\n')}\n`);
  const { targets, changes, links, stages } = figures;
  const failures = [...targets, ...changes, ...(stages ? [stages] : []), ...links].flatMap((results) =>
    results.failures.map((failure) => `${results.title}, ${failure}`),
  );
  for (const failure of failures) console.log(failure);
  if (options.json !== undefined) {
    const withAll = { ...figures, targets: targets.map(withMedians) };
    const all = { date: new Date().toISOString(), machine: info, options, ...withAll };
    await writeFile(options.json, `${JSON.stringify(all, null, 2)}\n`);
  }
  return failures.length === 0;
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) console.log(USAGE);
  else if (!(await main(options))) process.exitCode = 1;
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
