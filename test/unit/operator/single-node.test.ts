import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { singleNode } from '../../../server/src/operator/single-node.js';

const NODE = {
  name: 'alone',
  url: 'http://localhost',
  regions: [],
  sessionRoom: 3,
  draining: false,
  held: [],
};

describe('a single machine', () => {
  it('has no headroom while its memory or processor is exhausted, or sessions do not start', () => {
    const headroom = (startsSessions: boolean, hasResources: boolean) =>
      singleNode({ ...NODE, startsSessions, hasResources }).headroom;
    assert.deepEqual(
      [headroom(true, true), headroom(true, false), headroom(false, true), headroom(false, false)],
      [true, false, false, false],
    );
  });
});
