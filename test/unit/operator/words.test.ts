import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bytesText,
  durationText,
  moodOf,
  nodesText,
  secondsText,
  stateOf,
  valueText,
} from '../../../demo/operator/words.js';
import { historyOf, nodeAnswer, reportOf } from '../../fakes/nodes-answer.js';

const withDatabase = (reachable: boolean) => reportOf(1, historyOf(1, { database: () => reachable }));

describe('the displayed state', () => {
  const states = {
    'a healthy node': [nodeAnswer({ report: withDatabase(true) }), 'good', 'Running'],
    'a single machine': [nodeAnswer(), 'good', 'Running'],
    'one that drains': [nodeAnswer({ condition: 'draining' }), 'warn', 'Draining'],
    'one without memory or processor': [nodeAnswer({ headroom: false }), 'warn', 'Exhausted'],
    'one without database': [nodeAnswer({ report: withDatabase(false) }), 'bad', 'No database'],
    'one that does not answer': [nodeAnswer({ report: null }), 'bad', 'Silent'],
    'one that drains and does not answer': [
      nodeAnswer({ condition: 'draining', report: null }),
      'bad',
      'Silent',
    ],
    'one that is late': [nodeAnswer({ condition: 'late', lease_age: 12.4, report: null }), 'bad', 'Late'],
    'one that is lost': [nodeAnswer({ condition: 'lost', report: null }), 'gone', 'Lost'],
    'one that has left': [nodeAnswer({ condition: 'left', report: null }), 'gone', 'Left'],
    'a node with a condition of a newer service': [nodeAnswer({ condition: 'asleep' }), 'warn', 'asleep'],
  } as const;
  for (const [what, [node, mood, word]] of Object.entries(states))
    it(`of ${what} is “${word}”`, () => {
      const state = stateOf(node);
      assert.deepEqual([state.mood, state.word], [mood, word]);
    });

  it('includes the time since the last heartbeat of a late node', () => {
    const late = nodeAnswer({ condition: 'late', lease_age: 12.4, report: null });
    assert.match(stateOf(late).meaning, /^No sign of life for 12 s\./);
  });

  it('is counted over all nodes', () => {
    assert.equal(nodesText([nodeAnswer()]), '1 node: 1 running');
    const nodes = [nodeAnswer(), nodeAnswer({ condition: 'lost', report: null }), nodeAnswer()];
    assert.equal(nodesText(nodes), '3 nodes: 2 running, 1 lost');
    assert.equal(moodOf(nodes), 'good');
    assert.equal(moodOf([...nodes, nodeAnswer({ headroom: false })]), 'warn');
    assert.equal(moodOf([...nodes, nodeAnswer({ report: null })]), 'bad');
  });
});

describe('formatted figures', () => {
  it('have a suitable unit', () => {
    assert.deepEqual([0, 850.4, 1_234, 12_400].map(durationText), ['0 ms', '850 ms', '1.2 s', '12 s']);
    assert.deepEqual([1.2, 119, 600, 7_300].map(secondsText), ['1 s', '119 s', '10 min', '2 h']);
    const gigabyte = 2 ** 30;
    assert.deepEqual([gigabyte / 4, gigabyte * 3.44, gigabyte * 31.2].map(bytesText), [
      '256 MB',
      '3.4 GB',
      '31 GB',
    ]);
    assert.deepEqual([0, 0.5, 12.34, 1234.5].map(valueText), ['0', '0.5', '12.3', '1235']);
  });
});
