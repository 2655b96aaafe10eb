import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Moment } from '../../../demo/operator/nodes/cluster-history.js';
import { curvesOf } from '../../../demo/operator/charts/curves.js';
import { percentile } from '../../../demo/operator/charts/percentile.js';
import { totalsOf } from '../../../demo/operator/totals.js';
import { historyOf, nodeAnswer, reportOf } from '../../fakes/nodes-answer.js';

/** An hour of samples, some of them with values. */
function hour(given: Record<number, Partial<Moment>> = {}): Moment[] {
  return Array.from({ length: 720 }, (_, index) => ({
    ...{ nodes: 1, sessions: 0, viewers: 0, starts: 0, startTimes: [], rejections: new Map() },
    ...given[index],
  }));
}

const codes = (...entries: [string, number][]) => new Map(entries);

describe('a percentile', () => {
  it('is one of the values, by nearest rank', () => {
    const values = [400, 100, 300, 200];
    assert.equal(percentile(values, 0.5), 200);
    assert.equal(percentile(values, 0.95), 400);
    assert.equal(percentile([7], 0.5), 7);
    assert.equal(percentile([], 0.5), undefined);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    assert.deepEqual([percentile(hundred, 0.5), percentile(hundred, 0.95)], [50, 95]);
  });
});

describe('the totals', () => {
  const report = reportOf(1, historyOf(1, { viewers: () => 2, agents: () => 1 }));

  it('count sessions and viewers of live nodes, and free places where sessions may start', () => {
    const nodes = [
      nodeAnswer({ sessions: 3, session_room: 8, report }),
      nodeAnswer({ sessions: 8, session_room: 8, report }),
      nodeAnswer({ sessions: 1, session_room: 8, condition: 'draining', report }),
      nodeAnswer({ sessions: 2, session_room: 8, headroom: false, report }),
      nodeAnswer({ sessions: 4, session_room: 8, condition: 'late', report: null }),
      nodeAnswer({ sessions: 9, session_room: 9, condition: 'lost', report: null }),
    ];
    const { sessions, room, viewers, agents } = totalsOf(nodes, hour(), 5);
    assert.deepEqual([sessions, room, viewers, agents], [18, 5, 8, 4]);
  });

  it('have the rates of the last minute, and start times of the last five minutes', () => {
    const moments = hour({
      600: { starts: 9, startTimes: [9_000], rejections: codes(['err_busy', 9]) },
      660: { starts: 1, startTimes: [800] },
      707: { starts: 1, startTimes: [600], rejections: codes(['err_busy', 5]) },
      708: { starts: 2, startTimes: [300, 500], rejections: codes(['err_busy', 1], ['err_database', 2]) },
      719: { starts: 1, startTimes: [400] },
    });
    const { starts, rejections, p50, p95 } = totalsOf([], moments, 5);
    assert.deepEqual([starts, rejections, p50, p95], [3, 3, 500, 800]);
  });

  it('have no start time without starts', () => {
    const { p50, p95 } = totalsOf([], hour(), 5);
    assert.deepEqual([p50, p95], [undefined, undefined]);
  });
});

describe('the curves of the last hour', () => {
  it('have a point every half minute, the last one now', () => {
    const { ages, sessions, starts, startTimes } = curvesOf(hour(), 5);
    assert.equal(ages.length, 120);
    assert.deepEqual(ages.slice(-3), [60, 30, 0]);
    for (const { values } of [...sessions, ...starts, ...startTimes]) assert.equal(values.length, 120);
  });

  it('show past sessions, and gaps without reports', () => {
    const moments = hour({ 719: { sessions: 4, viewers: 6 } });
    for (const moment of moments.slice(0, 360)) moment.nodes = 0;
    const [sessions, viewers] = curvesOf(moments, 5).sessions;
    assert.deepEqual(sessions?.values.slice(-2), [0, 4]);
    assert.deepEqual(viewers?.values.slice(-2), [0, 6]);
    assert.deepEqual(sessions.values.slice(58, 62), [null, null, 0, 0]);
  });

  it('show rates of the minute before each point, only for complete minutes', () => {
    const [starts] = curvesOf(hour({ 0: { starts: 5 }, 719: { starts: 2 }, 713: { starts: 1 } }), 5).starts;
    assert.deepEqual(starts?.values.slice(0, 3), [null, 5, 0]);
    assert.deepEqual(starts.values.slice(-3), [0, 1, 3]);
  });

  it('show start times in seconds over five minutes, and gaps without starts', () => {
    const [p50, p95] = curvesOf(hour({ 600: { startTimes: [400, 1_000, 600] } }), 5).startTimes;
    const shown = (values: (number | null)[] | undefined) => values?.filter((value) => value !== null);
    assert.deepEqual(
      shown(p50?.values),
      Array.from({ length: 10 }, () => 0.6),
    );
    assert.deepEqual(
      shown(p95?.values),
      Array.from({ length: 10 }, () => 1),
    );
  });

  it('show rejections by code, the rare ones together', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((code, index): [string, number] => [code, 10 - index]);
    const { rejections } = curvesOf(hour({ 719: { rejections: codes(...many) } }), 5);
    assert.deepEqual(
      rejections.map(({ name, values }) => [name, values.at(-1)]),
      [
        ['a', 10],
        ['b', 9],
        ['c', 8],
        ['d', 7],
        ['others', 11],
      ],
    );
    assert.deepEqual(curvesOf(hour(), 5).rejections, []);
    const five = curvesOf(hour({ 719: { rejections: codes(...many.slice(0, 5)) } }), 5).rejections;
    assert.deepEqual(
      five.map(({ name }) => name),
      ['a', 'b', 'c', 'd', 'e'],
    );
  });
});
