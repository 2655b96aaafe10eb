import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ScaleCluster } from '../../scale/scale-cluster.js';
import { healing, outage, spread, steady } from '../../scale/scenarios.js';

describe('a simulated cluster', () => {
  it('spreads 1,000 sessions over 10 nodes within 10 %', async () => {
    const spreads = await spread();
    assert.equal(spreads.length, 3);
    for (const { what, spread: part } of spreads) assert.ok(part <= 0.1, `${what}: ${part}`);
  });

  it('sends few statements, changes no row often, and loses nothing in an outage', async () => {
    const { row, cluster } = await steady(30, 10);
    assert.ok(row.sessions >= 1_100, `${row.sessions} sessions`);
    assert.ok(row.renew > 13 && row.renew < 17, `${row.renew} renewals/s`);
    assert.ok(row.all < 60, `${row.all} statements/s`);
    assert.ok(row.hottestPerSecond < 50, `${row.hottest}: ${row.hottestPerSecond}/s`);
    const { lost, ended, peak, healed } = await outage(cluster, 2);
    assert.deepEqual({ lost, ended }, { lost: 0, ended: 0 });
    assert.ok(peak < 4 * row.all, `${peak} statements in a second`);
    assert.ok(healed <= 5, `${healed} s`);
    const { last } = await healing(cluster, 1);
    assert.ok(last <= 65, `${last} s`);
    cluster.close();
  });

  it('with 100 creates per second of one key changes no row more than 50 times per second', async () => {
    const cluster = new ScaleCluster(6_000);
    await cluster.start(20, 200);
    cluster.counted.reset();
    await cluster.run(5, 100, 60);
    assert.ok(cluster.memory.places.size > 400);
    const { row, count } = cluster.counted.hottest;
    assert.ok(count < 50, `${row}: ${count}`);
    cluster.close();
  });
});
