import { randomBytes } from 'node:crypto';
import { CodedError } from '../platform/coded-error.js';
import type { EgressRules } from '../platform/network/egress-rules.js';
import { isLoopbackName } from '../platform/network/loopback.js';
import type { SessionLimits } from '../platform/session-limits.js';
import { clusterConfig, type ClusterConfig } from './cluster-config.js';
import { limitProblems, MB, sessionLimits } from './limits-config.js';
import { thisMachine, type Machine } from './machine.js';
import { readSettings, type Settings } from './settings.js';
import { GENERAL_VARIABLES } from './variables/index.js';
import { LIMIT_VARIABLES } from './variables/limits.js';
import { NODE_VARIABLES } from './variables/nodes.js';

type General = Settings<typeof GENERAL_VARIABLES>;

/** Settings of variables that the configuration converts, for example from MB to bytes. */
type Converted =
  | 'apiKeys'
  | 'egressAllow'
  | 'egressDns'
  | 'maxProfileMb'
  | 'operatorKeys'
  | 'region'
  | 'sessionUidBase'
  | 'trustProxy';

/**
 * The whole configuration, checked and complete. Only code in this folder reads the environment. Each general
 * variable is a property with the same name in camel case (`RECORD_DAYS` becomes `recordDays`). The
 * properties below have other names or converted values.
 */
export interface Config extends Omit<General, Converted> {
  /** Never empty. */
  apiKeys: readonly string[];
  /**
   * True if the service has generated the only key for this run. Then the service may show the key to the
   * person who started it.
   */
  apiKeyGenerated: boolean;
  /** Keys of operators. If the list is empty, no client can use the routes for operators. */
  operatorKeys: readonly string[];
  /** Largest profile that is saved, in bytes. */
  maxProfileBytes: number;
  /** First user id that sessions use. Undefined when not running as root. */
  sessionUidBase: number | undefined;
  /** Limits of each session. */
  limits: SessionLimits;
  regions: General['region'];
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
  /** Rules for connections of webhooks and hosted pages. */
  egress: EgressRules;
  /** Name servers for hosted pages. If the list is empty, the service uses those of the system. */
  egressNameServers: readonly string[];
  /** Undefined if the service is not part of a cluster. */
  cluster: ClusterConfig | undefined;
  /** Names of variables that are set although they have no effect without `DATABASE_URL`. */
  withoutEffect: readonly string[];
  /** Environment of session hosts. Contains no secrets of the service. */
  hostEnvironment: Record<string, string>;
}

/**
 * The configuration cannot be used. The error contains a sentence for each problem. Each sentence tells the
 * operator what to do.
 */
export class ConfigError extends CodedError {
  readonly code = 'err_config';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Variables that session hosts get from the service's environment, if they are set there. */
const HOST_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/** Reads the configuration. Throws {@link ConfigError} with all its problems. */
export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  machine: Machine = thisMachine(),
): Config {
  const problems: string[] = [];
  const sources = { environment, machine, problems };
  const { egressAllow, egressDns, maxProfileMb, region, sessionUidBase, trustProxy, ...general } =
    readSettings(GENERAL_VARIABLES, sources);
  const limits = readSettings(LIMIT_VARIABLES, sources);
  problems.push(...limitProblems(limits));
  const nodes = readSettings(NODE_VARIABLES, sources);
  const { apiKeys: keys, host, port, publicUrl } = general;
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  if (!isSet('API_KEYS')) problems.push(...missingKeyProblems(host, publicUrl));
  const apiKeys = keys ?? [randomBytes(24).toString('base64url')];
  const config: Config = {
    ...general,
    apiKeys,
    apiKeyGenerated: keys === undefined,
    // The generated API key is also an operator key. Only the person who started the service has it, and this
    // person may see everything.
    operatorKeys: general.operatorKeys ?? (keys ? [] : apiKeys),
    maxProfileBytes: maxProfileMb * MB,
    sessionUidBase: machine.uid === 0 ? sessionUidBase : undefined,
    limits: sessionLimits(limits, maxProfileMb),
    regions: region,
    proxies: trustProxy,
    egress: egressAllow,
    egressNameServers: egressDns,
    cluster: clusterConfig(nodes, problems, {
      ...{ ...machine, host, port, hasKeys: keys !== undefined },
      hasSecret: isSet('CLUSTER_SECRET'),
    }),
    withoutEffect: isSet('DATABASE_URL') ? [] : Object.keys(NODE_VARIABLES).filter(isSet),
    hostEnvironment: pick(environment, HOST_VARIABLES),
  };
  problems.push(...sharedKeyProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Returns the problems that a missing API key causes. Without API keys, the demo gives a generated key to its
 * users. So only users of this machine may reach the service.
 */
function missingKeyProblems(host: string, publicUrl: string | undefined): string[] {
  const advice = 'Set API_KEYS to one or more secret keys, separated by commas';
  const problems: string[] = [];
  if (!isLoopbackName(host)) problems.push(`${advice}: HOST=${host} can be reached from other machines.`);
  if (publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname)) {
    problems.push(`${advice}: with PUBLIC_URL, other machines can reach this service.`);
  }
  return problems;
}

/**
 * Returns the problems of keys that appear in several variables. Such a key would give more access than one
 * of these variables describes.
 */
function sharedKeyProblems({ apiKeys, apiKeyGenerated, operatorKeys, metricsKeys }: Config): string[] {
  const problems: string[] = [];
  if (!apiKeyGenerated && operatorKeys.some((key) => apiKeys.includes(key)))
    problems.push(
      'OPERATOR_KEYS must not contain a key of API_KEYS. A key that creates sessions must not show the nodes.',
    );
  if (metricsKeys.some((key) => apiKeys.includes(key) || operatorKeys.includes(key)))
    problems.push(
      'METRICS_KEYS must not contain a key of API_KEYS or OPERATOR_KEYS. Choose keys for the metrics only.',
    );
  return problems;
}

function pick(environment: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
