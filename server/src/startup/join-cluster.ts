import { Cluster, type ClusterParts } from '../cluster/cluster.js';
import { hasHeadroom } from '../cluster/placement/headroom.js';
import type { ClusterConfig } from '../config/cluster-config.js';
import type { Config } from '../config/load-config.js';
import type { Database } from '../database/database.js';
import { systemClock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { localUrl } from '../platform/network/loopback.js';
import type { PostgresRegistry } from '../registry/postgres-registry.js';
import { joinAs } from './node-name.js';
import { clusterKey, openDatabase, openShared, type Storage } from './storage.js';

/**
 * Cost of a session of the usual size, in pixels times frames a second. A node has room for `MAX_SESSIONS`
 * sessions of this cost.
 */
const USUAL_COST = 1_280 * 720 * 30;

/** A node that has joined its cluster, with the resources that all nodes share. */
export interface JoinedCluster {
  database: Database;
  cluster: Cluster;
  /** State of the database for `/readyz`. A database that accepts no writes counts as unavailable. */
  contact: { readonly available: boolean };
  storage: Storage<PostgresRegistry>;
}

/** The process that joins. */
export interface JoiningProcess {
  /** Id of the process, see `Moment`. */
  run: string;
  /** Id of the state directory, see `homeOf`. */
  home: string;
  log: Log;
  /** Called when another process has joined under this node's name. This process must then end. */
  onSuperseded: () => void;
  /** True if starts of sessions do not fail on this machine. */
  startsSessions: () => boolean;
}

/**
 * Opens the database, updates its tables and joins the cluster. Rejects with an error that tells the operator
 * what to do.
 */
export async function joinCluster(
  config: Config,
  settings: ClusterConfig,
  { run, home, log, onSuperseded, startsSessions }: JoiningProcess,
): Promise<JoinedCluster> {
  const tools = { clock: systemClock, log };
  const { secret } = settings.database;
  const database = await openDatabase(settings.database, tools);
  try {
    const publicUrl = config.publicUrl ?? localUrl(config.host, config.port);
    const parts: Omit<ClusterParts, 'name'> = {
      ...{ database, run, home, onSuperseded, ...tools },
      secret: clusterKey(secret, 'nodes'),
      ...{ url: settings.nodeUrl, publicUrl, mode: settings.mode },
      regions: config.regions,
      sessionRoom: config.maxSessions,
      costRoom: config.maxSessions * USUAL_COST,
      limits: {
        createsPerMinute: config.createsPerMinute,
        maxPerKey: settings.maxPerKey,
        maxPerTenant: settings.maxPerTenant,
      },
      headroom: () => startsSessions() && hasHeadroom(),
    };
    const cluster = await joinAs(settings, config.stateDir, log, (name) => Cluster.join({ ...parts, name }));
    const { code } = cluster.incarnation;
    const node = {
      code,
      epoch: () => cluster.incarnation.epoch,
      isOver: () => cluster.isOver,
      lastAlive: cluster.previousHeartbeat ?? undefined,
    };
    try {
      const contact = {
        get available() {
          return database.available && !cluster.cannotRenew;
        },
      };
      const storage = await openShared(config, secret, database, node, tools);
      return { database, cluster, contact, storage };
    } catch (error) {
      // Otherwise the node would count as alive until its lease is late. A replacement with its name would
      // have to wait until then.
      await cluster.close();
      throw error;
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}
