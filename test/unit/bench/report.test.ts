import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { medians, table, type TargetResults } from '../../bench/report.js';

const target = (fields: Partial<TargetResults>): TargetResults => ({
  name: 'vnc',
  title: 'VNC',
  clicks: [],
  scrolling: [],
  failures: [],
  ...fields,
});

describe('the benchmark report', () => {
  it('has the median of each field', () => {
    const rounds = [
      { p50: 1, p95: 30 },
      { p50: 3, p95: 10 },
      { p50: 2, p95: 20 },
    ];
    assert.deepEqual(medians(rounds), { p50: 2, p95: 20 });
  });

  it('marks a failed target as failed, and still shows the others', () => {
    const lines = table([
      target({ clicks: [{ p50: 27.42, p95: 32.5, lost: 0 }] }),
      target({ title: 'none' }),
    ]).split('\n');
    assert.match(lines[2] ?? '', /^\| VNC \| 27\.4 \/ 32\.5 \| failed \|/);
    assert.match(lines[3] ?? '', /^\| none \| failed \| failed \|/);
  });
});
