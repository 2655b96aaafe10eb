import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { NodeList } from '../../../server/src/http/schemas/nodes.js';
import { ClusterHistory, type Moment } from '../../../demo/operator/nodes/cluster-history.js';
import type { NodesAnswer } from '../../../demo/operator/nodes/nodes-answer.js';
import { historyOf, nodeAnswer, nodesAnswer, reportOf } from '../../fakes/nodes-answer.js';

/** The page parses the service's response. This does not compile if the types differ. */
const understands = (answer: Static<typeof NodeList>): NodesAnswer => answer;

const HOUR = 3_600;
let history: ClusterHistory;
beforeEach(() => (history = new ClusterHistory()));

/** A node with this many samples that sends the last ones. The starts of each sample are its number. */
function told(number: number, count: number, { name = 'one', run = 'first', sessions = 1 } = {}) {
  const samples = historyOf(count, {
    sessions: () => sessions,
    starts: (index) => number - count + 1 + index,
  });
  return nodeAnswer({ name, report: reportOf(number, samples, run) });
}

const starts = (now: number) =>
  history.moments(now).flatMap(({ starts: each }: Moment) => (each > 0 ? [each] : []));

describe('the history on the operator page', () => {
  it('parses the responses of the service', () => {
    assert.equal(typeof understands, 'function');
  });

  it('requests an hour first, and then new samples', () => {
    assert.equal(history.secondsToAsk(1_000_000), HOUR);
    history.add(nodesAnswer(told(3, 3)), HOUR, 1_000_000);
    assert.equal(history.secondsToAsk(1_003_000), 13);
    assert.equal(history.secondsToAsk(1_603_000), 613);
    assert.equal(history.secondsToAsk(9_000_000), HOUR);
  });

  it('counts a sample of several responses once', () => {
    history.add(nodesAnswer(told(3, 3)), HOUR, 1_000_000);
    history.add(nodesAnswer(told(3, 3)), 13, 1_003_000);
    history.add(nodesAnswer(told(5, 3)), 13, 1_009_000);
    assert.deepEqual(starts(1_009_000), [1, 2, 3, 4, 5]);
  });

  it('sums nodes with samples at different times', () => {
    history.add(
      nodesAnswer(told(40, 40, { sessions: 2 }), told(7, 7, { name: 'two', sessions: 3 })),
      HOUR,
      1_000_000,
    );
    // The second node has not sent this sample yet.
    history.add(
      nodesAnswer(told(41, 3, { sessions: 2 }), told(7, 3, { name: 'two', sessions: 3 })),
      13,
      1_004_900,
    );
    const newest = history.moments(1_005_000).filter(({ nodes }) => nodes > 0);
    assert.deepEqual(
      newest.slice(-3).map(({ nodes, sessions }) => [nodes, sessions]),
      [
        [2, 5],
        [2, 5],
        [2, 5],
      ],
    );
  });

  it('excludes a node from the sums fifteen seconds after its last sample', () => {
    history.add(nodesAnswer(told(9, 9, { sessions: 4 })), HOUR, 1_000_000);
    const sessions = () => history.moments(1_100_000).map((moment) => moment.sessions);
    history.add(nodesAnswer(nodeAnswer({ report: null })), 13, 1_050_000);
    assert.equal(sessions().filter((count) => count === 4).length, 9 + 3);
    assert.equal(sessions().at(-1), 0);
    assert.equal(history.moments(1_100_000).at(-1)?.nodes, 0);
  });

  it('keeps samples of a process when the next one starts again', () => {
    history.add(nodesAnswer(told(3, 3)), HOUR, 1_000_000);
    history.add(nodesAnswer(told(1, 1, { run: 'second' })), 13, 1_020_000);
    assert.deepEqual(starts(1_020_000), [1, 2, 3, 1]);
  });

  it('requests more after a node was silent, and for a new node with a history', () => {
    history.add(nodesAnswer(told(100, 100)), HOUR, 1_000_000);
    history.add(nodesAnswer(told(103, 3)), 13, 1_015_000);
    assert.equal(history.secondsToAsk(1_018_000), 13);
    history.add(nodesAnswer(told(140, 3)), 13, 1_200_000);
    assert.equal(history.secondsToAsk(1_203_000), (140 - 103) * 5 + 10);
    history.add(nodesAnswer(told(140, 40)), 200, 1_203_000);
    assert.equal(history.secondsToAsk(1_206_000), 13);
    assert.equal(starts(1_206_000).length, 140);

    history.add(nodesAnswer(told(141, 3), told(60, 3, { name: 'new' })), 13, 1_206_000);
    assert.equal(history.secondsToAsk(1_209_000), 60 * 5 + 10);
  });

  it('requests no more than a node has', () => {
    history.add(nodesAnswer(told(2_000, 700)), HOUR, 1_000_000);
    assert.equal(history.secondsToAsk(1_003_000), 13);
  });

  it('drops samples older than an hour', () => {
    history.add(nodesAnswer(told(720, 720)), HOUR, 10_000_000);
    assert.equal(history.moments(10_000_000).length, 720);
    history.add(nodesAnswer(nodeAnswer({ name: 'two', report: null })), 13, 13_700_000);
    assert.deepEqual(starts(13_700_000), []);
  });

  it('does not shift the drawn curves when responses are slow', () => {
    history.add(nodesAnswer(told(10, 10)), HOUR, 1_000_000);
    const at = (number: number) => history.moments(1_020_000).findIndex((each) => each.starts === number);
    const before = at(5);
    history.add(nodesAnswer(told(12, 3)), 13, 1_014_900);
    assert.equal(at(5), before);
  });
});
