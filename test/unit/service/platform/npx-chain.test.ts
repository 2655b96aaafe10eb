import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStartedByNpx } from '../../../../server/src/config/started-by-npx.js';
import { LOOK_INTERVAL_MS, onNpxEnd } from '../../../../server/src/platform/process/npx-chain.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** This process is a child of a shell that npx has started. A terminal's shell has started npx. */
const family = () => ({
  self: 30,
  others: new Map([
    [30, { name: 'sh', parent: 20 }],
    [20, { name: 'npm exec cloud-b', parent: 10 }],
    [10, { name: 'bash', parent: 1 }],
    [1, { name: 'init', parent: 0 }],
  ]),
});

function watch({ self, others } = family()) {
  const clock = new ManualClock();
  const seen = { self, told: 0 };
  const end = onNpxEnd(clock, () => (seen.told += 1), {
    parent: () => seen.self,
    look: (pid) => others.get(pid),
  });
  const looks = (count = 5) => {
    for (let look = 0; look < count; look++) clock.advance(LOOK_INTERVAL_MS);
    return seen.told;
  };
  /** Ends a process. Its children become children of process 1. */
  const ends = (pid: number) => {
    others.delete(pid);
    if (seen.self === pid) seen.self = 1;
    for (const [each, { name, parent }] of others) if (parent === pid) others.set(each, { name, parent: 1 });
  };
  return { clock, end, ends, looks };
}

describe('the monitor of npx', () => {
  it('reports nothing while npx runs', () => {
    assert.equal(watch().looks(), 0);
  });

  it('reports once that the shell below npx has ended', () => {
    const { clock, ends, looks } = watch();
    ends(30);
    assert.deepEqual([looks(), clock.pending], [1, 0]);
  });

  it('reports that npx has ended even if its shell still runs', () => {
    const { ends, looks } = watch();
    ends(20);
    assert.equal(looks(), 1);
  });

  it('ignores the end of the shell that started npx', () => {
    const { ends, looks } = watch();
    ends(10);
    assert.equal(looks(), 0);
  });

  it('watches only the parent if npm is not visible above it', () => {
    const others = new Map([[30, { name: 'sh', parent: 20 }]]);
    const { ends, looks } = watch({ self: 30, others });
    assert.equal(looks(), 0);
    ends(30);
    assert.equal(looks(), 1);
  });

  it('treats a hidden process as running', () => {
    const { self, others } = family();
    const { looks } = watch({ self, others });
    others.delete(30);
    assert.equal(looks(), 0);
  });

  it('stops when it is closed', () => {
    const { clock, end } = watch();
    end();
    assert.equal(clock.pending, 0);
  });

  it('is used for a process that npx has started, according to npm', () => {
    assert.ok(isStartedByNpx({ npm_lifecycle_event: 'npx' }));
    assert.ok(!isStartedByNpx({ npm_lifecycle_event: 'start' }));
    assert.ok(!isStartedByNpx({}));
  });
});
