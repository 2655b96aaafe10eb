import { hkdfSync } from 'node:crypto';
import type { DatabaseConfig } from '../config/cluster-config.js';
import type { Config } from '../config/load-config.js';
import { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import type { Clock } from '../platform/time/clock.js';
import { loadProfileKey, loadServerKey } from '../platform/files/key-files.js';
import type { Log } from '../platform/log.js';
import { FileProfileStore } from '../profiles/file-profile-store.js';
import { PostgresProfileClaims } from '../profiles/postgres-profile-claims.js';
import { PostgresProfileStore } from '../profiles/postgres-profile-store.js';
import { FileRegistry } from '../registry/file-registry.js';
import { PostgresRegistry } from '../registry/postgres-registry.js';
import type { ProfileStore, Registry, LastHeartbeat } from '../sessions/ports.js';
import { NO_OTHER_CLAIMS, type ProfileClaims } from '../sessions/profiles/profile-claims.js';
import type { EventStore } from '../webhooks/event-store.js';
import { FileEventStore } from '../webhooks/event-store.js';
import { PostgresEventStore } from '../webhooks/postgres-event-store.js';

/** Data that outlives the process, and its keys. */
export interface Storage<R extends Registry = Registry> {
  registry: R;
  events: EventStore;
  profiles: ProfileStore;
  profileClaims: ProfileClaims;
  /** Key from which all tokens are derived. */
  serverKey: Buffer;
  /** Key that encrypts profiles and recordings, 32 bytes. */
  profileKey: Uint8Array;
  /**
   * Writes as much of the waiting data as possible. Call it after the last data was added, before the
   * database is closed.
   */
  close(): Promise<void>;
}

/** Data about this machine as a node: one of the machines that share a database. */
export interface NodeInStorage {
  /** Prefix of the session ids of this machine. */
  code: string;
  /**
   * Returns the node's epoch. It increases when the node joins, and when it returns after it was declared
   * lost.
   */
  epoch: () => number;
  /** True if another process has taken this node's name, or this process has left the cluster. */
  isOver: () => boolean;
  /**
   * Last heartbeat of the node before its epoch last increased. Undefined if all records of its earlier
   * sessions are marked as ended.
   */
  lastAlive: LastHeartbeat | undefined;
}

/** Clock and log of a storage. */
export interface StorageTools {
  clock: Clock;
  log: Log;
}

/** Opens the files of a single machine. */
export async function openFiles(config: Config, { clock, log }: StorageTools): Promise<Storage> {
  const { stateDir, maxProfileBytes: maxBytes } = config;
  const key = config.profileKey ?? (await loadProfileKey(stateDir, log));
  return {
    serverKey: await loadServerKey(stateDir),
    profileKey: key,
    registry: await FileRegistry.open(stateDir, log),
    events: await FileEventStore.open(stateDir, log),
    profiles: await FileProfileStore.open({ stateDir, key, maxBytes, clock, log }),
    profileClaims: NO_OTHER_CLAIMS,
    close: () => Promise.resolve(),
  };
}

/**
 * Opens a database, and creates or updates its tables. Rejects with an error that tells the operator what to
 * do. The caller closes the database.
 */
export async function openDatabase(
  { url, connections }: DatabaseConfig,
  { clock, log }: StorageTools,
): Promise<Database> {
  const database = await Database.open({ url, connections, clock, log });
  try {
    await migrate(database, log);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the data that the nodes of a cluster share. This machine must have joined the cluster. The caller
 * closes the database.
 */
export async function openShared(
  config: Config,
  secret: string,
  database: Database,
  node: NodeInStorage,
  { clock, log }: StorageTools,
): Promise<Storage<PostgresRegistry>> {
  const { stateDir, maxProfileBytes: maxBytes } = config;
  const key = config.profileKey ?? clusterKey(secret, 'profiles');
  const { code, epoch, isOver, lastAlive } = node;
  const profileClaims = new PostgresProfileClaims({ database, node: code, epoch, clock, log });
  const events = new PostgresEventStore({ database, node: code, clock, log });
  return {
    serverKey: clusterKey(secret, 'tokens'),
    profileKey: key,
    registry: new PostgresRegistry({ database, node: code, epoch, isOver, lastAlive }),
    events,
    profiles: await PostgresProfileStore.open({ database, stateDir, key, maxBytes, clock, log }),
    profileClaims,
    close: async () => {
      await Promise.all([events.close(), profileClaims.close()]);
    },
  };
}

/**
 * Derives a key of 32 bytes from the secret of a cluster. All machines with this secret get the same key. A
 * key reveals nothing about the secret or about keys for other purposes.
 */
export function clusterKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `cloud-browser ${purpose}`, 32));
}
