import { hkdfSync } from 'node:crypto';
import type { DatabaseConfig } from './config/cluster-config.js';
import type { Config } from './config/load-config.js';
import { Database } from './database/database.js';
import { migrate } from './database/migrate.js';
import type { Clock } from './platform/clock.js';
import { loadProfileKey, loadServerKey } from './platform/key-files.js';
import type { Log } from './platform/log.js';
import { FileProfileStore } from './profiles/file-profile-store.js';
import { PostgresProfileClaims } from './profiles/postgres-profile-claims.js';
import { PostgresProfileStore } from './profiles/postgres-profile-store.js';
import { FileRegistry } from './registry/file-registry.js';
import { PostgresRegistry } from './registry/postgres-registry.js';
import type { ProfileClaims, ProfileStore, Registry, SignOfLife } from './sessions/ports.js';
import { NO_OTHER_CLAIMS } from './sessions/profile-book.js';
import type { EventStore } from './webhooks/event-store.js';
import { FileEventStore } from './webhooks/event-store.js';
import { PostgresEventStore } from './webhooks/postgres-event-store.js';

/** What outlives the process, and the keys to it. */
export interface Storage<R extends Registry = Registry> {
  registry: R;
  events: EventStore;
  profiles: ProfileStore;
  profileClaims: ProfileClaims;
  /** What all tokens are derived from. */
  serverKey: Buffer;
  /** Writes what waits, as far as that is possible. Call when nothing is kept any more, and before the database is closed. */
  close(): Promise<void>;
}

/** This machine among those that share a database. */
export interface NodeInStorage {
  /** What its session ids begin with. */
  code: string;
  /** Of its life at the moment. */
  epoch: () => number;
  /** When its former life was last seen. */
  lastAlive: SignOfLife | undefined;
}

/** Who uses a storage. */
export interface StorageTools {
  clock: Clock;
  log: Log;
}

/** Opens the files of a machine that is alone. */
export async function openFiles(config: Config, { clock, log }: StorageTools): Promise<Storage> {
  const { stateDir, maxProfileBytes: maxBytes } = config;
  const key = config.profileKey ?? (await loadProfileKey(stateDir));
  return {
    serverKey: await loadServerKey(stateDir),
    registry: await FileRegistry.open(stateDir, log),
    events: await FileEventStore.open(stateDir, log),
    profiles: await FileProfileStore.open({ stateDir, key, maxBytes, clock, log }),
    profileClaims: NO_OTHER_CLAIMS,
    close: () => Promise.resolve(),
  };
}

/** Opens a database with all its tables. Rejects with an error that says what to do. The caller closes it. */
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

/** What several machines share, as one that has joined them uses it. The database stays the caller's. */
export async function openShared(
  config: Config,
  secret: string,
  database: Database,
  node: NodeInStorage,
  { clock, log }: StorageTools,
): Promise<Storage<PostgresRegistry>> {
  const { stateDir, maxProfileBytes: maxBytes } = config;
  const key = config.profileKey ?? clusterKey(secret, 'profiles');
  const { code, epoch, lastAlive } = node;
  const profileClaims = new PostgresProfileClaims({ database, node: code, epoch, clock });
  const events = new PostgresEventStore({ database, node: code, clock, log });
  return {
    serverKey: clusterKey(secret, 'tokens'),
    registry: new PostgresRegistry({ database, node: code, epoch, lastAlive }),
    events,
    profiles: await PostgresProfileStore.open({ database, stateDir, key, maxBytes, clock, log }),
    profileClaims,
    close: async () => {
      await Promise.all([events.close(), profileClaims.close()]);
    },
  };
}

/** A key of 32 bytes that all machines with the same secret have; no purpose's key tells anything of another's, nor of the secret. */
export function clusterKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `cloud-browser ${purpose}`, 32));
}
