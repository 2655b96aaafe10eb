/**
 * A short form of `npm run test:cluster`. It runs some of the faults on real processes, with the same
 * checker.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runFault } from './nemesis/fault.js';
import { manyCreates } from './nemesis/rows/creates.js';
import { KILLED, TWICE } from './nemesis/rows/nodes.js';

for (const fault of [KILLED, TWICE, manyCreates(2)])
  it(fault.name, async () => {
    const { wrong, complaints } = await runFault(fault);
    assert.deepEqual(wrong, [], complaints);
  });
