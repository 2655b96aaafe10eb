import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sizingTable } from '../../bench/sizing/sizing-probe.js';

describe('the table of session costs', () => {
  it('lists the sessions per core and per GiB', () => {
    const result = { what: 'a film', size: '1280 × 720', frames: 29.81, megabits: 5.04 };
    const taken = { processor: 0.35, chromium: 0.175, memory: 2 ** 28 };
    const [, , row] = sizingTable([{ ...result, ...taken }]).split('\n');
    assert.equal(row, '| a film | 1280 × 720 | 29.8 | 5.0 | 35 | 18 | 256 | 2.0 | 4.0 |');
  });
});
