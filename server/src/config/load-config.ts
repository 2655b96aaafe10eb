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

/** The whole configuration, checked and complete. Nothing else in the service reads the environment. */
export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash; undefined: made from `host` and the port that is really listened on. */
  publicUrl: string | undefined;
  /** Never empty. */
  apiKeys: readonly string[];
  /** The only key was made for this run, so it may be shown to the person who started it. */
  apiKeyGenerated: boolean;
  /** Of the people who run the service. Empty: nobody sees what is for them. */
  operatorKeys: readonly string[];
  stateDir: string;
  /** 32 bytes; undefined: generated and kept in `stateDir`. */
  profileKey: Buffer | undefined;
  /** A larger profile is not saved. Bytes. */
  maxProfileBytes: number;
  runtimeDir: string;
  /** The documentation as it was built; undefined: it is not served. */
  docsDir: string | undefined;
  /** First user id that belongs to sessions; undefined when not running as root. */
  sessionUidBase: number | undefined;
  maxSessions: number;
  /** What each session may use. */
  limits: SessionLimits;
  createsPerMinute: number;
  recordDays: number;
  /** What sessions with viewers have when the service is told to end. */
  drainSeconds: number;
  regions: readonly ('NA' | 'EU' | 'AS')[];
  /** Reverse proxies of ours before this service. */
  proxies: number;
  /** Of the pages that may show sessions; undefined: any. */
  allowedOrigins: readonly string[] | undefined;
  /** Connections at once, in all and of one address. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** What webhooks and hosted pages may reach. */
  egress: EgressRules;
  /** Name servers that are asked for hosted pages; empty for the system's. */
  egressNameServers: readonly string[];
  warmHosts: number;
  /** Undefined: this machine is the only one. */
  cluster: ClusterConfig | undefined;
  /** Browsers that wait, running, for a session. */
  warmBrowsers: number;
  logLevel: LogLevel;
  /** The environment of session hosts: nothing of ours that is secret. */
  hostEnvironment: Record<string, string>;
}

/** The configuration cannot be used. Carries every problem at once, each a sentence that says what to do. */
export class ConfigError extends CodedError {
  readonly code = 'err_config';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** What the defaults depend on. */
export interface Machine {
  uid: number;
  cores: number;
  memoryBytes: number;
  home: string;
  name: string;
  /** One that other machines reach; undefined: there is none. */
  address: string | undefined;
  temporary: string;
}

const MB = 2 ** 20;
/** Room on the disk for what no profile saves, such as caches and downloads. */
const UNSAVED_MB = 1_024;
/** The part of that which is not files of people. */
const CACHES_MB = 512;
const ROOT_STATE_DIR = '/var/lib/cloud-browser';
const DEFAULT_UID_BASE = 64_000;
/** Chromium and its display take about 400 MB for a plain page; heavy pages take more. */
const BYTES_PER_SESSION = 600e6;
const SESSIONS_PER_CORE = 4;
/** What the programs that a host runs need of our environment, when it is set. */
const HOST_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ'];

/** Must not be printed. */
const SECRETS: ReadonlySet<string> = new Set([
  'API_KEYS',
  'OPERATOR_KEYS',
  'PROFILE_KEY',
  'DATABASE_URL',
  'CLUSTER_SECRET',
]);

/** Reads the configuration. Throws {@link ConfigError} with every problem in it. */
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
    // A key is a secret: an error must not print it.
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
  // Who has the key of this run has started it, and may see everything.
  const operatorKeys = read('OPERATOR_KEYS') ?? (keys ? [] : apiKeys);
  if (keys && operatorKeys.some((key) => keys.includes(key)))
    problems.push(
      'OPERATOR_KEYS must hold no key of API_KEYS: what creates sessions must not see the nodes.',
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
    warmBrowsers: read('WARM_BROWSERS') ?? defaultWarmBrowsers(machine),
    logLevel: read('LOG_LEVEL') ?? 'info',
    hostEnvironment: pick(environment, HOST_VARIABLES),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What one file may have, and all of a session: the disk has room for more than them. */
function filesMb(one = 100, all: number | undefined, disk: number | undefined): { one: number; all: number } {
  return { one, all: all ?? Math.max(1, Math.min(one * 5, Math.floor((disk ?? Infinity) / 2))) };
}

/** A random key is shown to whoever opens the demo on this machine, so it must be of use to nobody else. */
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

/** One that waits holds a quarter of a gigabyte, and a second of all that one core does was spent on it. */
function defaultWarmBrowsers({ cores, memoryBytes }: Machine): number {
  // The kernel keeps some for itself, so that machines sold as of 4 GB tell less.
  return cores >= 2 && memoryBytes >= 3.5e9 ? 1 : 0;
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
