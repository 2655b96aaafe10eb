import { Cluster } from './cluster/cluster.js';
import { hasHeadroom } from './cluster/headroom.js';
import type { ClusterConfig } from './config/cluster-config.js';
import type { Config } from './config/load-config.js';
import type { Database } from './database/database.js';
import { systemClock } from './platform/clock.js';
import type { Log } from './platform/log.js';
import { localUrl } from './platform/loopback.js';
import type { PostgresRegistry } from './registry/postgres-registry.js';
import { clusterKey, openDatabase, openShared, type Storage } from './storage.js';

/** What a session of the usual size takes, in pixels times frames a second: a node has room for `MAX_SESSIONS` of these. */
const USUAL_COST = 1_280 * 720 * 30;

/** A node that has joined its cluster, and what all nodes share. */
export interface JoinedCluster {
  database: Database;
  cluster: Cluster;
  storage: Storage<PostgresRegistry>;
}

/** What is known of the process that joins. */
export interface JoiningProcess {
  /** Names it, see `Moment`. */
  run: string;
  /** See `homeOf`. */
  home: string;
  log: Log;
  /** Another process has joined under this node's name: this one must end. */
  onSuperseded: () => void;
}

/** Opens the database, brings its tables up to date and joins the cluster. Rejects with an error that says what to do. */
export async function joinCluster(
  config: Config,
  settings: ClusterConfig,
  { run, home, log, onSuperseded }: JoiningProcess,
): Promise<JoinedCluster> {
  const tools = { clock: systemClock, log };
  const { secret } = settings.database;
  const database = await openDatabase(settings.database, tools);
  try {
    const publicUrl = config.publicUrl ?? localUrl(config.host, config.port);
    const cluster = await Cluster.join({
      ...{ database, run, home, onSuperseded, ...tools },
      secret: clusterKey(secret, 'nodes'),
      ...{ name: settings.nodeName, url: settings.nodeUrl, publicUrl, mode: settings.mode },
      regions: config.regions,
      sessionRoom: config.maxSessions,
      costRoom: config.maxSessions * USUAL_COST,
      limits: {
        createsPerMinute: config.createsPerMinute,
        maxPerKey: settings.maxPerKey,
        maxPerTenant: settings.maxPerTenant,
      },
      headroom: () => hasHeadroom(),
    });
    const { code } = cluster.life;
    const node = { code, epoch: () => cluster.life.epoch, lastAlive: cluster.former ?? undefined };
    return { database, cluster, storage: await openShared(config, secret, database, node, tools) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
