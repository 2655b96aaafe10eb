import { fileURLToPath } from 'node:url';
import { TestPostgres } from '../../database/support/postgres.js';
import type { End } from './cleanup.js';
import type { Service } from './service.js';

/** Runs each service of the tests as three nodes behind HAProxy. */
export const IN_CLUSTER = process.env['IN_CLUSTER'] === '1';
/** The mode of embed URLs. See CLUSTER_MODE in docs/operating.md. */
const MODE = process.env['CLUSTER_MODE'] ?? 'gateway';
/** API key of these tests' nodes. A node of a cluster makes no key of its own. */
const KEY = 'end-to-end';
/** Makes the proxy choose nodes in turn, so that nodes forward most requests. */
const BLIND = process.env['BLIND_PROXY'] ?? '0';
const SECRET = 'a secret of a test, which has to be long';
const program = fileURLToPath(new URL('run-cluster.ts', import.meta.url));

interface ClusterDatabase {
  url: string;
  /** Runs SQL beside the nodes. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

/** The databases of the services, by directory. A service that restarts in a directory finds its data. */
const databases = new Map<string, ClusterDatabase>();

/** The command line, behind Node's, of a cluster whose nodes run `node`. */
export function asCluster(node: string): string[] {
  return ['--import=tsx', program, node];
}

/** True if a service with this environment is a cluster. */
export function isCluster(environment: Record<string, string>): boolean {
  return IN_CLUSTER || 'CLUSTER_MODE' in environment;
}

/** Environment of a cluster's nodes in addition to a service's. Starts a PostgreSQL that runs until `end`. */
export async function clusterEnvironment(
  directory: string,
  environment: Record<string, string>,
  end: End,
): Promise<Record<string, string>> {
  const { url } = databases.get(directory) ?? (await makeDatabase(directory, end));
  const { API_KEYS, ...given } = environment;
  return {
    ...{ DATABASE_URL: url, CLUSTER_SECRET: SECRET, CLUSTER_MODE: MODE, API_KEYS: API_KEYS || KEY },
    BLIND_PROXY: BLIND,
    ...given,
  };
}

async function makeDatabase(directory: string, end: End): Promise<ClusterDatabase> {
  const postgres = await TestPostgres.start();
  end(() => postgres.stop());
  const url = await postgres.createDatabase();
  const database = { url, sql: (text: string) => postgres.sql(text, url) };
  databases.set(directory, database);
  return database;
}

/** The database of a cluster. */
export function databaseOf({ directory }: Service): ClusterDatabase {
  const database = databases.get(directory);
  if (!database) throw new Error('This service is no cluster.');
  return database;
}

/** The addresses of the nodes of a cluster that has just started. */
export function nodesOf({ process: { logTail } }: Service): string[] {
  const [, addresses = ''] = /^nodes: (.*)$/m.exec(logTail) ?? [];
  return addresses.split(' ');
}
