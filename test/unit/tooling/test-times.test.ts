import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slowestLines } from '../../../scripts/lib/test-times.mjs';

describe('the slowest test files', () => {
  it('are listed with their group, slowest first, twenty at most', () => {
    const times = Array.from({ length: 30 }, (_, nth) => ({
      group: 'unit',
      file: `${nth}.test.ts`,
      seconds: nth,
    }));
    const lines = slowestLines(times);
    assert.equal(lines.length, 22);
    assert.equal(lines[2], '    29.0 s  unit  29.test.ts');
    assert.equal(lines.at(-1), '    10.0 s  unit  10.test.ts');
  });

  it('are not listed if no file ran', () => {
    assert.deepEqual(slowestLines([]), []);
  });
});
