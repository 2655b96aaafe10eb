import { Counter, Gauge, type Registry } from 'prom-client';
import type { NodeCondition } from '../sessions/placement/nodes.js';
import type { Cluster } from './cluster.js';

const CONDITIONS: readonly NodeCondition[] = ['alive', 'draining', 'late', 'lost', 'left'];

/**
 * Adds metrics for Prometheus: the state of the cluster, as this node knows it. Each value is read when
 * Prometheus requests the metrics.
 */
export function watchCluster(
  registry: Registry,
  cluster: Pick<Cluster, 'nodes' | 'sinceRenewal' | 'placement' | 'otherNodes' | 'sessions'>,
  database: { readonly available: boolean },
): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    const made: Gauge = new Gauge({
      ...{ name: `cloud_browser_${name}`, help, registers: [registry] },
      collect: (): void => made.set(read()),
    });
  };
  gauge('database_up', '1 if the database can be reached, otherwise 0.', () => Number(database.available));
  gauge(
    'lease_seconds',
    'Seconds since this node last renewed its lease.',
    () => Math.max(0, cluster.sinceRenewal) / 1_000,
  );
  gauge(
    'creates_waiting',
    'Creates that wait on this node until any node has room.',
    () => cluster.placement.waiting,
  );
  const counter = (
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [string, number]>,
  ) => {
    const made: Counter = new Counter({
      ...{ name: `cloud_browser_${name}_total`, help, labelNames: [label], registers: [registry] },
      collect: (): void => {
        made.reset();
        for (const [value, count] of read()) made.inc({ [label]: value }, count);
      },
    });
  };
  counter('placements', 'Answers to placement requests, by kind.', 'result', () => cluster.placement.answers);
  counter('forwarded', 'Requests and viewers that were forwarded to other nodes, by kind.', 'what', () =>
    Object.entries(cluster.otherNodes.forwarded),
  );
  counter(
    'sessions_given_up',
    'Sessions that the cluster ended, by reason: cut_off, superseded.',
    'why',
    () => cluster.sessions.ended,
  );
  const nodes: Gauge = new Gauge({
    ...{ name: 'cloud_browser_nodes', help: 'Nodes by condition, as this node last read them.' },
    ...{ labelNames: ['condition'], registers: [registry] },
    collect: (): void => {
      for (const condition of CONDITIONS)
        nodes.set({ condition }, cluster.nodes.filter((node) => node.condition === condition).length);
    },
  });
}
