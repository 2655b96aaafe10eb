import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordingTable } from '../../bench/recording/recording-probe.js';

describe('the table of recording costs', () => {
  it('has the median of the differences of the rounds', () => {
    const MB = 2 ** 20;
    const without = [0.1, 0.2, 0.3].map((processor) => ({ processor, memory: 200 * MB, bytes: 0 }));
    const recorded = [0.13, 0.21, 0.38].map((processor) => ({ processor, memory: 212 * MB, bytes: 1_440 }));
    const [, , row] = recordingTable([{ page: 'text', isStill: true, without, recorded }]).split('\n');
    assert.equal(
      row,
      '| text | 20.0 / 21.0 | 3.0 | at most 5 | 200 / 212 | 12 | at most 20 | 1.4 | below 2 |',
    );
  });
});
