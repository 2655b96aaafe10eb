import { randomBytes } from 'node:crypto';
import { availableParallelism, homedir, hostname, networkInterfaces, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { PUBLIC_ONLY, type EgressRules } from '../platform/egress-rules.js';
import { CodedError } from '../platform/coded-error.js';
import type { LogLevel } from '../platform/log.js';
import { isLoopbackName } from '../platform/loopback.js';
import type { SessionLimits } from '../platform/session-limits.js';
import { clusterConfig, type ClusterConfig } from './cluster-config.js';
import { VARIABLES, type ReadVariable, type ValueOf, type VariableName } from './variables.js';

/** The whole configuration, checked and complete. No other code of the service reads the environment. */
export interface Config {
  port: number;
  host: string;
  /**
   * Without a trailing slash. Undefined: made from `host` and the port that the service really listens on.
   */
  publicUrl: string | undefined;
  /** Never empty. */
  apiKeys: readonly string[];
  /**
   * True if the only key was made for this run. Then it may be shown to the person who started the service.
   */
  apiKeyGenerated: boolean;
  /** Keys of operators. Empty: operators' views are closed to everyone. */
  operatorKeys: readonly string[];
  /** Keys that can only read the metrics for Prometheus. */
  metricsKeys: readonly string[];
  stateDir: string;
  /** 32 bytes. Undefined: generated and kept in `stateDir`. */
  profileKey: Buffer | undefined;
  /** Largest profile that is saved, in bytes. */
  maxProfileBytes: number;
  runtimeDir: string;
  /** Directory of the built documentation. Undefined: it is not served. */
  docsDir: string | undefined;
  /** First user id that belongs to sessions. Undefined when not running as root. */
  sessionUidBase: number | undefined;
  maxSessions: number;
  /** Limits of each session. */
  limits: SessionLimits;
  createsPerMinute: number;
  recordDays: number;
  /** Seconds that sessions with viewers get when the service ends. */
  drainSeconds: number;
  regions: readonly ('NA' | 'EU' | 'AS')[];
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
  /** Origins of pages that may show sessions. Undefined: all. */
  allowedOrigins: readonly string[] | undefined;
  /** Limits of connections at the same time: in total, and from one address. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Rules for connections of webhooks and hosted pages. */
  egress: EgressRules;
  /** Name servers for hosted pages. Empty: those of the system. */
  egressNameServers: readonly string[];
  warmHosts: number;
  /** Undefined: there is only one machine. */
  cluster: ClusterConfig | undefined;
  /** Number of browsers that wait for a session, already running. */
  warmBrowsers: number;
  logLevel: LogLevel;
  /** Environment of session hosts. Contains no secrets of the service. */
  hostEnvironment: Record<string, string>;
}

/**
 * The configuration cannot be used. Contains all problems, each as a sentence that tells the operator what to
 * do.
 */
export class ConfigError extends CodedError {
  readonly code = 'err_config';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Values that the defaults depend on. */
export interface Machine {
  uid: number;
  cores: number;
  memoryBytes: number;
  home: string;
  name: string;
  /** Address that other machines can reach. Undefined: there is none. */
  address: string | undefined;
  temporary: string;
}

const MB = 2 ** 20;
/** Disk space for data that is in no profile, such as caches and downloads. */
const UNSAVED_MB = 1_024;
/** Part of that space which is not for users' files. */
const CACHES_MB = 512;
const ROOT_STATE_DIR = '/var/lib/cloud-browser';
const DEFAULT_UID_BASE = 64_000;
/** Chromium and its display take about 400 MB for a plain page. Heavy pages take more. */
const BYTES_PER_SESSION = 600e6;
const SESSIONS_PER_CORE = 4;
/** Variables of the service's environment that the programs of a host need, if they are set. */
const HOST_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/** Variables that must not be printed. */
const SECRETS: ReadonlySet<string> = new Set([
  'API_KEYS',
  'OPERATOR_KEYS',
  'METRICS_KEYS',
  'PROFILE_KEY',
  'DATABASE_URL',
  'CLUSTER_SECRET',
]);

/** Reads the configuration. Throws {@link ConfigError} with all its problems. */
export function loadConfig(
  environment: NodeJS.ProcessEnv = process.env,
  machine: Machine = thisMachine(),
): Config {
  const problems: string[] = [];
  const read: ReadVariable = <N extends VariableName>(name: N) => {
    const variable = VARIABLES[name];
    const text = environment[name]?.trim();
    if (!text) return undefined;
    const value = variable.parse(text) as ValueOf<N>;
    // A secret must not appear in an error.
    if (value === undefined)
      problems.push(`${name} must be ${variable.expected}${SECRETS.has(name) ? '' : `, not "${text}"`}.`);
    return value;
  };

  const host = read('HOST') ?? '127.0.0.1';
  const port = read('PORT') ?? 8080;
  const publicUrl = read('PUBLIC_URL');
  const keys = read('API_KEYS');
  if (!keys && !environment['API_KEYS']?.trim()) problems.push(...keyProblems(host, publicUrl));
  const apiKeys = keys ?? [randomBytes(24).toString('base64url')];
  // The user with the key of this run has started the service, and may see everything.
  const operatorKeys = read('OPERATOR_KEYS') ?? (keys ? [] : apiKeys);
  if (keys && operatorKeys.some((key) => keys.includes(key)))
    problems.push(
      'OPERATOR_KEYS must not contain a key of API_KEYS: a key that creates sessions must not give access to the nodes.',
    );
  const metricsKeys = read('METRICS_KEYS') ?? [];
  if (metricsKeys.some((key) => apiKeys.includes(key) || operatorKeys.includes(key)))
    problems.push(
      'METRICS_KEYS must not contain a key of API_KEYS or OPERATOR_KEYS: choose keys that give no other access.',
    );
  const asRoot = machine.uid === 0;
  const uidBase = read('SESSION_UID_BASE') ?? DEFAULT_UID_BASE;
  const maxProfileMb = read('MAX_PROFILE_MB') ?? 1_024;
  const files = filesMb(read('MAX_FILE_MB'), read('SESSION_FILES_MB'), read('SESSION_DISK_MB'));
  const config: Config = {
    port,
    host,
    publicUrl,
    apiKeys,
    apiKeyGenerated: keys === undefined,
    operatorKeys,
    metricsKeys,
    stateDir: read('STATE_DIR') ?? defaultStateDir(environment, machine),
    profileKey: read('PROFILE_KEY'),
    maxProfileBytes: maxProfileMb * MB,
    runtimeDir:
      read('RUNTIME_DIR') ??
      join(machine.temporary, asRoot ? 'cloud-browser' : `cloud-browser-${machine.uid}`),
    docsDir: read('DOCS_DIR'),
    sessionUidBase: asRoot ? uidBase : undefined,
    maxSessions: read('MAX_SESSIONS') ?? defaultMaxSessions(machine),
    limits: {
      memoryBytes: (read('SESSION_MEMORY_MB') ?? 2_048) * MB,
      processes: read('SESSION_PROCESSES') ?? 1_500,
      cpuWeight: read('SESSION_CPU_WEIGHT') ?? 100,
      diskBytes: (read('SESSION_DISK_MB') ?? maxProfileMb + Math.max(UNSAVED_MB, files.all + CACHES_MB)) * MB,
      fileBytes: files.one * MB,
      filesBytes: files.all * MB,
      tabs: read('SESSION_TABS') ?? 50,
      viewers: read('SESSION_VIEWERS') ?? 64,
    },
    createsPerMinute: read('CREATES_PER_MINUTE') ?? 120,
    recordDays: read('RECORD_DAYS') ?? 90,
    drainSeconds: read('DRAIN_SECONDS') ?? 60,
    regions: read('REGION') ?? ['NA', 'EU', 'AS'],
    proxies: read('TRUST_PROXY') ?? 0,
    allowedOrigins: read('ALLOWED_ORIGINS'),
    maxConnections: read('MAX_CONNECTIONS') ?? 2_000,
    maxConnectionsPerAddress: read('MAX_CONNECTIONS_PER_ADDRESS') ?? 256,
    egress: read('EGRESS_ALLOW') ?? PUBLIC_ONLY,
    egressNameServers: read('EGRESS_DNS') ?? [],
    warmHosts: read('WARM_HOSTS') ?? 1,
    cluster: clusterConfig(read, problems, {
      ...{ ...machine, host, port, hasKeys: keys !== undefined },
      hasSecret: Boolean(environment['CLUSTER_SECRET']?.trim()),
    }),
    warmBrowsers: read('WARM_BROWSERS') ?? defaultWarmBrowsers(machine, keys === undefined),
    logLevel: read('LOG_LEVEL') ?? 'info',
    hostEnvironment: pick(environment, HOST_VARIABLES),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Returns the limits of one file and of all files of a session. The disk limit leaves room for more than the
 * files.
 */
function filesMb(one = 100, all: number | undefined, disk: number | undefined): { one: number; all: number } {
  return { one, all: all ?? Math.max(1, Math.min(one * 5, Math.floor((disk ?? Infinity) / 2))) };
}

/**
 * Returns the problems of a missing API key. The demo shows a random key to its users, so only users of this
 * machine may reach the service.
 */
function keyProblems(host: string, publicUrl: string | undefined): string[] {
  const advice = 'Set API_KEYS to one or more secret keys, separated by commas';
  const problems: string[] = [];
  if (!isLoopbackName(host)) problems.push(`${advice}: HOST=${host} can be reached from other machines.`);
  if (publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname)) {
    problems.push(`${advice}: PUBLIC_URL says that others can reach this service.`);
  }
  return problems;
}

function defaultStateDir(environment: NodeJS.ProcessEnv, machine: Machine): string {
  if (machine.uid === 0) return ROOT_STATE_DIR;
  return join(
    environment['XDG_STATE_HOME']?.trim() || join(machine.home, '.local', 'state'),
    'cloud-browser',
  );
}

function defaultMaxSessions(machine: Machine): number {
  const byMemory = Math.floor((machine.memoryBytes * 0.75) / BYTES_PER_SESSION);
  return Math.min(Math.max(1, Math.min(byMemory, machine.cores * SESSIONS_PER_CORE)), 900);
}

/**
 * Default of `WARM_BROWSERS`. A waiting browser holds a quarter of a gigabyte, and its start used one core
 * for a second.
 *
 * @param forDemo true if the key of this run is for the demo, which has two kinds of sessions
 */
function defaultWarmBrowsers({ cores, memoryBytes }: Machine, forDemo: boolean): number {
  // The kernel keeps some memory for itself, so machines sold with 4 GB or 8 GB report less.
  if (cores < 2 || memoryBytes < 3.5e9) return 0;
  return forDemo && memoryBytes >= 7e9 ? 2 : 1;
}

function pick(environment: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function thisMachine(): Machine {
  return {
    uid: process.getuid?.() ?? -1,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    home: homedir(),
    name: hostname(),
    address: outwardAddress(),
    temporary: tmpdir(),
  };
}

function outwardAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
