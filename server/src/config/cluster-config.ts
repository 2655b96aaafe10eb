import { localUrl } from '../platform/network/loopback.js';
import type { Settings } from './settings.js';
import type { NODE_VARIABLES } from './variables/nodes.js';

/** A database that several machines share. */
export interface DatabaseConfig {
  /** Address of the database. It contains a password, so it is a secret. */
  url: string;
  /** Maximum number of connections at the same time. */
  connections: number;
  /** Secret of the cluster. All machines derive the same keys from it. */
  secret: string;
}

/** Configuration of a service that is one node of several. */
export interface ClusterConfig {
  database: DatabaseConfig;
  nodeName: string;
  /** True if an operator has chosen the name. */
  nodeNameIsSet: boolean;
  /** Address for other nodes, without a trailing slash. */
  nodeUrl: string;
  mode: 'direct' | 'gateway';
  /** Maximum number of sessions per API key and per tenant, on all nodes together. Null: no limit. */
  maxPerKey: number | null;
  maxPerTenant: number | null;
}

/** Facts about this machine, from which the defaults of a node are computed. */
interface NodeMachine {
  name: string;
  address: string | undefined;
  host: string;
  port: number;
  /** True if API keys are set. */
  hasKeys: boolean;
  /** True if a secret is set, even an invalid one. */
  hasSecret: boolean;
}

/** Values of `HOST` that mean all network interfaces. */
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Returns the configuration of a node, or undefined without a database. Adds a sentence to `problems` for
 * each error.
 */
export function clusterConfig(
  settings: Settings<typeof NODE_VARIABLES>,
  problems: string[],
  machine: NodeMachine,
): ClusterConfig | undefined {
  const { databaseUrl: url, clusterSecret: secret, nodeName, nodeUrl } = settings;
  if (url === undefined) return undefined;
  const { host, port } = machine;
  if (port === 0)
    problems.push(
      'Set PORT to a fixed port, not to 0. With DATABASE_URL, other machines must find this machine at the same port after a restart.',
    );
  if (!machine.hasKeys)
    problems.push('Set API_KEYS to the same keys on all machines. DATABASE_URL requires them.');
  if (secret === undefined && !machine.hasSecret)
    problems.push(
      'Set CLUSTER_SECRET to a secret of at least 32 characters, the same on all machines with this DATABASE_URL: "openssl rand -hex 32" prints one.',
    );
  const reached = WILDCARDS.has(host) ? machine.address : host;
  if (nodeUrl === undefined && reached === undefined)
    problems.push('Set NODE_URL: this machine has no address that other machines could reach.');
  return {
    database: { url, connections: settings.databaseConnections, secret: secret ?? '' },
    nodeName: nodeName ?? `${machine.name}:${port}`,
    nodeNameIsSet: nodeName !== undefined,
    nodeUrl: nodeUrl ?? localUrl(reached ?? host, port),
    mode: settings.clusterMode,
    maxPerKey: settings.maxSessionsPerKey ?? null,
    maxPerTenant: settings.maxSessionsPerTenant ?? null,
  };
}
