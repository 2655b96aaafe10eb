import { localUrl } from '../platform/loopback.js';
import type { ReadVariable } from './variables.js';

/** What makes a service one node of several. */
export interface ClusterConfig {
  databaseUrl: string;
  databaseConnections: number;
  /** Shared by all nodes. */
  secret: string;
  nodeName: string;
  /** For other nodes, without a trailing slash. */
  nodeUrl: string;
  mode: 'direct' | 'gateway';
  /** Null: any number. */
  maxPerKey: number | null;
  maxPerTenant: number | null;
}

/** What the defaults depend on. */
interface NodeMachine {
  name: string;
  address: string | undefined;
  host: string;
  port: number;
  /** API keys were set. */
  hasKeys: boolean;
}

/** Addresses that say to listen on all. */
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]']);

/** Undefined without a database. What stands in the way is added to `problems`. */
export function clusterConfig(
  read: ReadVariable,
  problems: string[],
  machine: NodeMachine,
): ClusterConfig | undefined {
  const databaseUrl = read('DATABASE_URL');
  const secret = read('CLUSTER_SECRET');
  const connections = read('DATABASE_CONNECTIONS');
  const others = {
    nodeName: read('NODE_NAME'),
    nodeUrl: read('NODE_URL'),
    mode: read('CLUSTER_MODE') ?? ('gateway' as const),
    maxPerKey: read('MAX_SESSIONS_PER_KEY') ?? null,
    maxPerTenant: read('MAX_SESSIONS_PER_TENANT') ?? null,
  };
  if (databaseUrl === undefined) return undefined;
  const { host, port } = machine;
  if (port === 0)
    problems.push('PORT must not be 0 with DATABASE_URL: other nodes have to know where this one is.');
  if (!machine.hasKeys)
    problems.push('API_KEYS must be set with DATABASE_URL, to the same keys on all nodes.');
  if (secret === undefined)
    problems.push(
      'CLUSTER_SECRET must be set with DATABASE_URL, to the same on all nodes: 32 characters or more, such as "openssl rand -hex 32" prints.',
    );
  const reached = WILDCARDS.has(host) ? machine.address : host;
  if (others.nodeUrl === undefined && reached === undefined)
    problems.push('NODE_URL must be set: this machine has no address of its own that others could reach.');
  return {
    ...others,
    databaseUrl,
    databaseConnections: connections ?? 10,
    secret: secret ?? '',
    nodeName: others.nodeName ?? `${machine.name}:${port}`,
    nodeUrl: others.nodeUrl ?? localUrl(reached ?? host, port),
  };
}
