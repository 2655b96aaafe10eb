import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFilter } from '../../../../server/src/host/features/automation/targets/target-map.js';

test('a filter with very long types is refused', () => {
  assert.deepEqual(readFilter([{ type: 'page' }, { exclude: true }]), [{ type: 'page' }, { exclude: true }]);
  assert.equal(readFilter([{ type: 'x'.repeat(10_000) }]), undefined);
});
