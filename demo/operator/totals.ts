import type { Moment } from './nodes/cluster-history.js';
import { START_TIME_SECONDS } from './charts/curves.js';
import { isGone, type NodeAnswer } from './nodes/nodes-answer.js';
import { percentile } from './charts/percentile.js';

/** Totals of all nodes. */
export interface Totals {
  sessions: number;
  /** Number of further sessions with a place, without regard to their cost. */
  room: number;
  /** Viewers on the nodes that answer. */
  viewers: number;
  /** Programs that drive sessions, on the nodes that answer. */
  agents: number;
  /** Starts in the last minute. */
  starts: number;
  rejections: number;
  /** Milliseconds, in the last five minutes. Undefined if no session started in that time. */
  p50: number | undefined;
  p95: number | undefined;
}

/** @param interval seconds between two moments */
export function totalsOf(nodes: readonly NodeAnswer[], moments: readonly Moment[], interval: number): Totals {
  const last = (seconds: number) => moments.slice(-Math.ceil(seconds / interval));
  const minute = last(60);
  const times = last(START_TIME_SECONDS).flatMap(({ startTimes }) => startTimes);
  const here = nodes.filter((node) => !isGone(node));
  return {
    sessions: sum(here, ({ sessions }) => sessions),
    room: sum(here, roomOf),
    viewers: sum(here, ({ report }) => report?.history.viewers.at(-1) ?? 0),
    agents: sum(here, ({ report }) => report?.history.agents.at(-1) ?? 0),
    starts: sum(minute, ({ starts }) => starts),
    rejections: sum(minute, ({ rejections }) => sum([...rejections.values()], (count) => count)),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

/**
 * Returns the free places of a node. Only nodes that are alive, with memory and processor left, accept
 * sessions.
 */
function roomOf({ condition, headroom, sessions, session_room: room }: NodeAnswer): number {
  return condition === 'alive' && headroom ? Math.max(0, room - sessions) : 0;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
