import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { watchCluster } from '../../../server/src/cluster/cluster-metrics.js';
import type { Cluster } from '../../../server/src/cluster/cluster.js';

describe('the metrics of a cluster', () => {
  it('show the nodes, the lease and the database at the time of the request', async () => {
    const registry = new Registry();
    const database = { available: true };
    const conditions = ['alive', 'alive', 'late'];
    const cluster = {
      nodes: conditions.map((condition) => ({ condition })),
      sinceRenewal: 1_500,
      placement: { waiting: 4, answers: new Map([['begin', 7]]) },
      otherNodes: { forwarded: { requests: 3, viewers: 2 } },
      sessions: { ended: new Map([['cut_off', 1]]) },
    } as unknown as Cluster;
    watchCluster(registry, cluster, database);
    database.available = false;
    const text = await registry.metrics();
    assert.equal(await registry.metrics(), text);
    for (const line of [
      'cloud_browser_placements_total{result="begin"} 7',
      'cloud_browser_forwarded_total{what="viewers"} 2',
      'cloud_browser_sessions_given_up_total{why="cut_off"} 1',
      'cloud_browser_nodes{condition="alive"} 2',
      'cloud_browser_nodes{condition="late"} 1',
      'cloud_browser_nodes{condition="lost"} 0',
      'cloud_browser_lease_seconds 1.5',
      'cloud_browser_database_up 0',
      'cloud_browser_creates_waiting 4',
    ])
      assert.ok(`${text}\n`.includes(`\n${line}\n`), line);
  });
});
