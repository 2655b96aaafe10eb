import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorldFilter } from '../../../../server/src/host/features/automation/targets/world-filter.js';

test('a program that has created the maximum number of worlds can create each of them again', () => {
  const worlds = new WorldFilter();
  const created = Array.from({ length: 1_000 }, (_, index) => worlds.creates(`world-${index}`));
  assert.ok(created.every(Boolean));
  // A program creates its worlds again in each new document.
  assert.equal(worlds.creates('world-0'), true);
  assert.equal(worlds.creates('one-more'), false);
});

test('a world with a very long name is refused', () => {
  assert.equal(new WorldFilter().creates('x'.repeat(10_000)), false);
});
