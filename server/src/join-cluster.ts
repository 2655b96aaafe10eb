import { hkdfSync } from 'node:crypto';
import { Cluster } from './cluster/cluster.js';
import { hasHeadroom } from './cluster/headroom.js';
import type { ClusterConfig } from './config/cluster-config.js';
import type { Config } from './config/load-config.js';
import { Database } from './database/database.js';
import { migrate } from './database/migrate.js';
import { systemClock } from './platform/clock.js';
import type { Log } from './platform/log.js';
import { localUrl } from './platform/loopback.js';
import { PostgresRegistry } from './registry/postgres-registry.js';

/** What a session of the usual size takes, in pixels times frames a second: a node has room for `MAX_SESSIONS` of these. */
const USUAL_COST = 1_280 * 720 * 30;
const KEY_BYTES = 32;

/** A node that has joined its cluster, and where it keeps what all nodes share. */
export interface JoinedCluster {
  database: Database;
  cluster: Cluster;
  registry: PostgresRegistry;
  /** What all tokens are derived from, and what profiles are encrypted with when no key is configured: the same on all nodes. */
  serverKey: Buffer;
  profileKey: Buffer;
}

/**
 * Opens the database, brings its tables up to date and joins the cluster. Rejects with an error that says what to do.
 *
 * @param run names this process, see `Moment`
 * @param onSuperseded another process has joined under this node's name: this one must end
 */
export async function joinCluster(
  config: Config,
  settings: ClusterConfig,
  run: string,
  log: Log,
  onSuperseded: () => void,
): Promise<JoinedCluster> {
  const { databaseUrl: url, databaseConnections: connections, secret } = settings;
  const database = await Database.open({ url, connections, clock: systemClock, log });
  try {
    await migrate(database, log);
    const publicUrl = config.publicUrl ?? localUrl(config.host, config.port);
    const cluster = await Cluster.join({
      database,
      secret: derived(secret, 'nodes'),
      ...{ name: settings.nodeName, url: settings.nodeUrl, publicUrl, mode: settings.mode },
      regions: config.regions,
      sessionRoom: config.maxSessions,
      costRoom: config.maxSessions * USUAL_COST,
      limits: {
        createsPerMinute: config.createsPerMinute,
        maxPerKey: settings.maxPerKey,
        maxPerTenant: settings.maxPerTenant,
      },
      run,
      headroom: () => hasHeadroom(),
      clock: systemClock,
      log,
      onSuperseded,
    });
    const registry = new PostgresRegistry({
      database,
      node: cluster.life.code,
      epoch: () => cluster.life.epoch,
      lastAlive: cluster.former ?? undefined,
    });
    return {
      ...{ database, cluster, registry },
      serverKey: derived(secret, 'server'),
      profileKey: derived(secret, 'profiles'),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A key of its own for each purpose, so that none of them tells anything about another. */
function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `cloud-browser ${purpose}`, KEY_BYTES));
}
