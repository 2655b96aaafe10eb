import type { NodeAnswer, NodesAnswer } from '../../../demo/operator/nodes/nodes-answer.js';
import { historyOf, nodeAnswer, reportOf } from '../../fakes/nodes-answer.js';

const GIB = 2 ** 30;
const HD = 1920 * 1080 * 30;
/** Samples of an hour. */
const COUNT = 720;

/** A pseudo-random number from 0 to 1 that is the same in every run. */
function chance(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}

/** An hour of a busy node: sessions that start and end, a slow quarter of an hour, and refused requests. */
function busyHour(seed: number, database = true) {
  const starts = (index: number) =>
    chance(seed + index * 7) < 0.28 ? 1 + Number(chance(seed + index) < 0.3) : 0;
  const slow = (index: number) => (index > 420 && index < 600 ? 2.4 : 1);
  const sessions = (index: number) =>
    Math.round(9 + 6 * Math.sin(index / 110 + seed) + 2 * chance(seed + index / 40));
  return historyOf(COUNT, {
    sessions,
    viewers: (index) => Math.round(sessions(index) * 1.6),
    starts,
    start_times: (index) =>
      Array.from({ length: starts(index) }, (_, nth) =>
        Math.round((260 + 420 * chance(index * 3 + nth + seed) ** 3) * slow(index)),
      ),
    rejections: (index) => ({
      ...(index > 470 && index < 560 && chance(index + seed) < 0.4 && { err_busy: 2 }),
      ...(chance(index * 5 + seed) < 0.02 && { err_invalid_parameter: 1 }),
      ...(index > 610 && index < 630 && { err_too_many_requests: 1 }),
    }),
    load: (index) => 0.45 + 0.4 * chance(seed + index / 9),
    free_bytes: () => (6 + seed) * GIB,
    database: () => database,
  });
}

function busy(name: string, seed: number, given: Partial<NodeAnswer> = {}): NodeAnswer {
  const report = reportOf(9_000 + seed, busyHour(seed, given.name !== 'cut-off'), `run of ${name}`);
  const sessions = report.history.sessions.at(-1) ?? 0;
  return nodeAnswer({
    ...{ name, own: false, sessions, session_room: 32, cost: sessions * HD, cost_room: 40 * HD, report },
    lease_age: 1 + seed / 2,
    ...given,
  });
}

/** Nodes in every state, with samples of an hour. */
export function pretendedCluster(): NodesAnswer {
  return {
    interval: 5,
    nodes: [
      busy('browser-1.frankfurt.example.com', 1, { own: true, regions: ['EU'] }),
      busy('browser-2.frankfurt.example.com', 2, { regions: ['EU'], cost: 37 * HD }),
      busy('browser-3.virginia.example.com', 3, { regions: ['NA'], condition: 'draining' }),
      busy('browser-4.virginia.example.com', 4, { regions: ['NA'], headroom: false }),
      busy('browser-5.tokyo.example.com', 5, { regions: ['AS'], report: null }),
      busy('browser-6.tokyo.example.com', 6, {
        regions: ['AS'],
        condition: 'late',
        lease_age: 23,
        report: null,
      }),
      busy('browser-7.frankfurt.example.com', 7, {
        regions: ['EU'],
        condition: 'lost',
        lease_age: 4_020,
        report: null,
      }),
      busy('browser-8.frankfurt.example.com', 8, {
        regions: ['EU'],
        condition: 'left',
        lease_age: 9_300,
        report: null,
      }),
    ],
  };
}
