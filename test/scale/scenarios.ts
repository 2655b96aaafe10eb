import { renewalInterval } from '../../server/src/cluster/nodes/lateness.js';
import { ScaleCluster, USUAL_COST } from './scale-cluster.js';

/** Sessions of a usual life: 15 minutes on average. */
const LIFE_SECONDS = 900;
const SESSIONS_A_NODE = 40;
const ROOM = 50;

/**
 * Imbalance of sessions between nodes: the difference between the fullest and the emptiest, relative to the
 * mean.
 */
export interface Spread {
  what: string;
  min: number;
  max: number;
  spread: number;
}

/**
 * 1,000 sessions on 10 nodes: all alike, of costs that differ by six times, and after an hour of coming and
 * going.
 */
export async function spread(): Promise<Spread[]> {
  const spreads: Spread[] = [];
  const of = (cluster: ScaleCluster, what: string, key: 'usedSessions' | 'usedCost', unit: number): void => {
    const uses = [...cluster.memory.nodes.values()].map((node) => node[key] / unit);
    const [min, max] = [Math.min(...uses), Math.max(...uses)];
    const mean = uses.reduce((sum, use) => sum + use, 0) / uses.length;
    spreads.push({ what, min, max, spread: (max - min) / mean });
  };
  const alike = new ScaleCluster();
  await alike.start(10, 150);
  await alike.fill(1_000, LIFE_SECONDS * 4);
  of(alike, 'sessions alike', 'usedSessions', 1);
  await alike.run(600, 1, LIFE_SECONDS * 4);
  of(alike, 'after ten minutes of coming and going', 'usedSessions', 1);
  alike.close();
  const mixed = new ScaleCluster();
  await mixed.start(10, 600);
  for (let index = 0; index < 1_000; index++) {
    void mixed.create(0, { cost: USUAL_COST * (1 + Math.floor(mixed.chance() * 6)) });
    if (index % 10 === 0) await mixed.clock.pass(10);
  }
  await mixed.clock.pass(1_000);
  of(mixed, 'costs of 1 to 6 usual sessions', 'usedCost', USUAL_COST);
  mixed.close();
  return spreads;
}

/** The load of a cluster on its database while sessions come and go. */
export interface Steady {
  nodes: number;
  sessions: number;
  creates: number;
  /** Statements a second, by their purpose. */
  renew: number;
  look: number;
  compare: number;
  place: number;
  release: number;
  records: number;
  all: number;
  hottest: string;
  hottestPerSecond: number;
  placeP50: number;
  placeP99: number;
}

/** A cluster of 40 sessions a node, all of one key, for so many seconds. */
export async function steady(
  nodes: number,
  seconds: number,
): Promise<{ row: Steady; cluster: ScaleCluster }> {
  const sessions = nodes * SESSIONS_A_NODE;
  const creates = Math.max(1, Math.round(sessions / LIFE_SECONDS));
  const cluster = new ScaleCluster(creates * 120);
  await cluster.start(nodes, ROOM);
  await cluster.fill(sessions, LIFE_SECONDS, 0.2);
  // Until the count of sessions, and the phases of renewals, are as they stay.
  await cluster.run(Math.max(30, secondsUntilKnown(nodes)), creates, LIFE_SECONDS);
  await cluster.fill(Math.max(0, sessions - cluster.memory.places.size), LIFE_SECONDS);
  cluster.counted.reset();
  cluster.waits.length = 0;
  await cluster.run(seconds, creates, LIFE_SECONDS);
  const per = (...names: string[]) => cluster.counted.perSecond(...names);
  const { hottest } = cluster.counted;
  const row = {
    ...{ nodes, sessions: cluster.memory.places.size, creates: per('place') },
    ...{ renew: per('renew'), look: per('list', 'find'), compare: per('booked', 'take-up') },
    ...{ place: per('place'), release: per('release'), records: per('records'), all: per() },
    ...{ hottest: hottest.row.split(' ')[0] ?? '', hottestPerSecond: hottest.count },
    ...{ placeP50: percentile(cluster.waits, 0.5), placeP99: percentile(cluster.waits, 0.99) },
  };
  return { row, cluster };
}

/**
 * Until nodes that were started one after the other know how many they are, and renew at the pace that this
 * asks for: each has looked when it joined, and looks again after so many renewals as there were hundreds of
 * nodes then.
 */
function secondsUntilKnown(nodes: number): number {
  return Math.ceil(((nodes / 100) * renewalInterval(nodes)) / 1000);
}

/** Effects of a database outage of one minute on a cluster, while creates go on. */
export interface Outage {
  nodes: number;
  lost: number;
  ended: number;
  /** Statements in the worst second behind it, and on average before. */
  peak: number;
  before: number;
  /** Seconds until every node has its lease again. */
  healed: number;
}

export async function outage(cluster: ScaleCluster, creates: number): Promise<Outage> {
  const before = cluster.counted.perSecond();
  const sessions = new Set(cluster.memory.places.keys());
  cluster.databaseGone = true;
  await cluster.run(60, creates, LIFE_SECONDS);
  cluster.databaseGone = false;
  cluster.counted.reset();
  let healed = 0;
  const isBack = () => [...cluster.nodes.values()].every(({ lease }) => lease.connectedFor > 0);
  for (; !isBack(); healed++) await cluster.run(1, creates, LIFE_SECONDS);
  await cluster.run(10, creates, LIFE_SECONDS);
  const lost = [...cluster.memory.nodes.values()].filter(({ state }) => state !== 'alive').length;
  // Each running session must still have a place in the database.
  const ended = [...sessions].filter((id) => {
    const runs = cluster.nodes.get(id.slice(0, 6))?.sessions.has(id) ?? false;
    return runs && !cluster.memory.places.has(id);
  }).length;
  return { nodes: cluster.nodes.size, lost, ended, peak: cluster.counted.peak, before, healed };
}

/** Seconds until killed nodes are lost and their tags are free. */
export interface Healing {
  nodes: number;
  killed: number;
  first: number;
  last: number;
  peak: number;
}

export async function healing(cluster: ScaleCluster, kill: number): Promise<Healing> {
  await cluster.clock.pass(70_000);
  const victims = [...cluster.nodes.keys()].slice(0, kill);
  for (const code of victims) cluster.kill(code);
  cluster.counted.reset();
  const found: number[] = [];
  for (let second = 1; second <= 900 && found.length < kill; second++) {
    await cluster.clock.pass(1_000);
    const lost = victims.filter((code) => cluster.memory.nodes.get(code)?.state === 'lost').length;
    while (found.length < lost) found.push(second);
  }
  return {
    ...{ nodes: cluster.nodes.size + kill, killed: kill, peak: cluster.counted.peak },
    ...{ first: found[0] ?? Infinity, last: found.length === kill ? (found.at(-1) ?? 0) : Infinity },
  };
}

/** The smallest value that so many of all do not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
