import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { watchCluster } from '../../../server/src/cluster/cluster-metrics.js';
import type { Cluster } from '../../../server/src/cluster/cluster.js';
import { SessionMetrics } from '../../../server/src/sessions/records/session-metrics.js';
import { ROOT } from './test-titles.js';

const GUIDE = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

/** Returns the first two columns of the guide's table whose first column has this title. */
function tableOf(title: string): [string, string][] {
  const [, table = ''] = new RegExp(`\\n\\| ${title} .*\\n\\|[ -|]*\\n((?:\\|.*\\n)+)`).exec(GUIDE) ?? [];
  return [...table.matchAll(/^\| `([^`]+)` *\| (?:`([^`]+)`)?/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

describe('the guide for operators', () => {
  it('lists all metrics with their labels', async () => {
    const registry = new Registry();
    const metrics = new SessionMetrics(registry);
    metrics.watch(() => []);
    metrics.watchStarts(() => true);
    metrics.watchWarmBrowsers(() => []);
    const cluster = {
      ...{ nodes: [], sinceRenewal: 0, placement: { waiting: 0, answers: new Map() } },
      ...{ otherNodes: { forwarded: {} }, sessions: { ended: new Map() } },
    } as unknown as Cluster;
    watchCluster(registry, cluster, { available: true });
    const made = registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
    assert.ok(made.length > 25);
    const rows = made.map(({ name, labelNames }): [string, string] => [name, labelNames.join()]);
    assert.deepEqual(tableOf('Metric').sort(), rows.sort());
  });

  it('names log lines that the service writes', () => {
    const files = readdirSync(join(ROOT, 'server/src'), { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, 'server/src', name), 'utf8'))
      .join('\n');
    const lines = tableOf('Message');
    assert.ok(lines.length > 5);
    for (const [message, level] of lines) {
      const call = new RegExp(`log\\.${level}\\([^'\`;]*'${message}'`);
      assert.match(code, call, message);
    }
  });
});
