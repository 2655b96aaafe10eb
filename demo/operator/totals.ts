import type { Moment } from './cluster-history.js';
import { START_TIME_SECONDS } from './curves.js';
import { isGone, type NodeAnswer } from './nodes-answer.js';
import { percentile } from './percentile.js';

/** The figures of all nodes together. */
export interface Totals {
  sessions: number;
  /** Sessions that would still find a place, by number alone. */
  room: number;
  /** Of the nodes that answer. */
  viewers: number;
  /** Of the last minute. */
  starts: number;
  rejections: number;
  /** Milliseconds, of the last five minutes; undefined when no session started in them. */
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
    starts: sum(minute, ({ starts }) => starts),
    rejections: sum(minute, ({ rejections }) => sum([...rejections.values()], (count) => count)),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

/** Only nodes that are alive and have memory and processor left take sessions. */
function roomOf({ condition, headroom, sessions, session_room: room }: NodeAnswer): number {
  return condition === 'alive' && headroom ? Math.max(0, room - sessions) : 0;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
