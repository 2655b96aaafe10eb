import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { FAULTS } from './rows/index.js';
import { runFault, Stage } from './stage.js';

/** The part of the table that takes seconds. `npm run test:faults` runs all of it. */
let shared: Promise<Stage> | undefined;
after(async () => (await shared)?.close());

describe('a session and its neighbour take it as the table says:', () => {
  for (const fault of FAULTS.filter(({ short }) => short)) {
    it(fault.name, async () => {
      const { differences } = await runFault(fault, () => (shared ??= Stage.build()));
      assert.deepEqual(differences, []);
    });
  }
});
