import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorldFilter } from '../../../../server/src/host/features/automation/targets/world-filter.js';

/** Returns true if the program may use an isolated world that Chromium reports. */
const shows = (worlds: WorldFilter, name: string) =>
  worlds.created('A', { id: 1, origin: '', name, auxData: { isDefault: false, type: 'isolated' } });

test('a program can create worlds with ever new names, as some clients do for each document', () => {
  const worlds = new WorldFilter();
  worlds.creates('old');
  worlds.creates('utility');
  for (let document = 0; document < 5_000; document++) {
    assert.equal(worlds.creates(`random-${document}`), true);
    // A script for new documents runs in the same world in each document.
    assert.equal(shows(worlds, 'utility'), true);
  }
  assert.equal(shows(worlds, 'old'), false);
});

test('a world with a very long name is refused', () => {
  assert.equal(new WorldFilter().creates('x'.repeat(10_000)), false);
});
