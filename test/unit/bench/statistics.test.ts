import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median, percentile } from '../../bench/statistics.js';

describe('a percentile', () => {
  it('of an odd number of values at 50 % is the middle value', () => {
    assert.equal(median([9, 1, 5]), 5);
  });

  it('between two values is interpolated', () => {
    assert.equal(median([1, 2]), 1.5);
    assert.equal(percentile([0, 10, 20, 30, 40], 0.95), 38);
  });

  it('at both ends is the smallest and the largest value', () => {
    assert.equal(percentile([3, 1, 2], 0), 1);
    assert.equal(percentile([3, 1, 2], 1), 3);
  });

  it('of no values is not a number', () => {
    assert.ok(Number.isNaN(median([])));
  });
});
