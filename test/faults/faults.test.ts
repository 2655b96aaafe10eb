import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { partOf } from '../../scripts/lib/test-plan.mjs';
import { FAULTS } from './rows/index.js';
import { runFault, Stage } from './stage.js';

/** The rows that take seconds. `npm run test:faults` runs all rows. */
const ROWS = FAULTS.filter(({ short }) => short);
/** Rows that `npm test` runs: of Chromium and two of its parts. */
const FIRST_ROWS = 3;
const part = partOf(process.env);
const rows = ROWS.slice(part === 'rest' ? FIRST_ROWS : 0, part === 'short' ? FIRST_ROWS : undefined);

let shared: Promise<Stage> | undefined;
after(async () => (await shared)?.close());

// Proves: other parts that are killed, viewers that vanish
describe('a session and its neighbour react to a fault as the table says:', () => {
  for (const fault of rows) {
    it(fault.name, async () => {
      const { differences } = await runFault(fault, () => (shared ??= Stage.build()));
      assert.deepEqual(differences, []);
    });
  }
});
