/**
 * Simulates leases and placement in large clusters, and prints tables in Markdown. See docs/scale.md.
 */
import { healing, outage, spread, steady, type Healing, type Outage, type Steady } from './scenarios.js';

const STEADY_SECONDS = 60;

const round = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

function table(head: string[], rows: (string | number)[][]): void {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell)));
  for (const row of [head, head.map(() => '---'), ...cells]) console.log(`| ${row.join(' | ')} |`);
  console.log();
}

const spreads = await spread();
table(
  ['1,000 sessions on 10 nodes', 'emptiest', 'fullest', 'difference'],
  spreads.map(({ what, min, max, spread: part }) => [what, min, max, `${(part * 100).toFixed(1)} %`]),
);

const steadies: Steady[] = [];
const outages: Outage[] = [];
const healings: Healing[] = [];
/** Numbers of nodes. Arguments replace them. */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 500, 1_000, 2_500];
for (const nodes of sizes) {
  const { row, cluster } = await steady(nodes, STEADY_SECONDS);
  steadies.push(row);
  outages.push(await outage(cluster, Math.round(row.creates)));
  healings.push(await healing(cluster, Math.max(1, nodes / 100)));
  cluster.close();
  console.error(`${nodes} nodes are done`);
}
table(
  [
    'nodes',
    'sessions',
    'renew',
    'look',
    'compare',
    'place',
    'release',
    'records',
    'statements/s',
    'hottest row/s',
  ],
  steadies.map((row) => [
    ...[row.nodes, row.sessions, row.renew, row.look, row.compare, row.place, row.release, row.records],
    ...[row.all, `${row.hottestPerSecond} (${row.hottest})`],
  ]),
);
table(
  [
    'nodes',
    'statements/s before',
    'worst second behind it',
    'all leases again after',
    'nodes lost',
    'sessions lost',
  ],
  outages.map((row) => [row.nodes, row.before, row.peak, `${row.healed} s`, row.lost, row.ended]),
);
table(
  ['nodes', 'killed at once', 'first lost after', 'all lost after', 'worst second'],
  healings.map((row) => [row.nodes, row.killed, `${row.first} s`, `${row.last} s`, row.peak]),
);
