import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runFault } from './nemesis/fault.js';
import { SHORT_FAULTS } from './nemesis/rows/index.js';

// The whole table is `npm run test:cluster`.
describe('a cluster that customers use, of which', () => {
  for (const fault of SHORT_FAULTS)
    it(`${fault.name}, keeps its promises`, async () => {
      const { wrong, complaints } = await runFault(fault);
      assert.deepEqual(wrong, [], complaints);
    });
});
