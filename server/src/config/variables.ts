import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { EgressRules } from '../platform/egress-rules.js';
import { AllowedOrigins } from '../platform/origins.js';
import { LOG_LEVELS, type LogLevel } from '../platform/log.js';

/** An environment variable, with its parser and its text in `--help`. */
export interface Variable<T> {
  /** Description of valid values, to follow "must be" in an error. */
  expected: string;
  /** Returns undefined if the text is invalid. */
  parse(text: string): T | undefined;
  /** Purpose and default, for people. */
  about: string;
}

/** Every variable that the service reads. An empty text counts as unset. */
export const VARIABLES = {
  PORT: integer(0, 65_535, 'TCP port to listen on (8080). 0 takes any free port.'),
  HOST: text('address to listen on (127.0.0.1, so only this machine can connect).'),
  PUBLIC_URL: {
    expected: 'an http or https address without query, such as https://browser.example.com',
    parse: parsePublicUrl,
    about:
      'address under which viewers reach this service; embed URLs start with it (made from HOST and PORT).',
  } satisfies Variable<string>,
  API_KEYS: {
    expected: 'one key or several separated by commas',
    parse: (value) => {
      const keys = list(value);
      return keys.every((key) => key.length > 0) ? keys : undefined;
    },
    about:
      'keys that may create sessions, separated by commas (on loopback: a random one, printed at the start).',
  } satisfies Variable<string[]>,
  OPERATOR_KEYS: {
    expected: 'one key or several separated by commas',
    parse: (value) => {
      const keys = list(value);
      return keys.every((key) => key.length > 0) ? keys : undefined;
    },
    about:
      'keys that may read the state of the nodes, separated by commas (none; the random API key, if there is one).',
  } satisfies Variable<string[]>,
  METRICS_KEYS: {
    expected: 'one key or several separated by commas',
    parse: (value) => {
      const keys = list(value);
      return keys.every((key) => key.length > 0) ? keys : undefined;
    },
    about: 'keys that may read /metrics and nothing else, separated by commas (none).',
  } satisfies Variable<string[]>,
  STATE_DIR: directory(
    'where records and the server key are kept (/var/lib/cloud-browser, or ~/.local/state/cloud-browser).',
  ),
  PROFILE_KEY: {
    expected: '32 bytes in hexadecimal or base64, such as "openssl rand -hex 32" prints',
    parse: (value) => {
      const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64');
      return key.length === 32 ? key : undefined;
    },
    about: 'key that profiles are encrypted with (a random one, kept in STATE_DIR).',
  } satisfies Variable<Buffer>,
  MAX_PROFILE_MB: integer(
    1,
    1_000_000,
    'size up to which a profile is saved, in MB of 2^20 bytes before compression (1024).',
  ),
  RUNTIME_DIR: directory(
    'where running sessions keep their files; sessions must be able to reach it (a folder in /tmp).',
  ),
  SESSION_UID_BASE: integer(
    1_000,
    2_000_000_000,
    'first of 1000 user ids that belong to sessions alone; used when running as root (64000).',
  ),
  MAX_SESSIONS: integer(
    1,
    900,
    'sessions that may run at once (from the cores and the memory of this machine).',
  ),
  SESSION_MEMORY_MB: integer(
    256,
    1_000_000,
    'memory of one session, in MB of 2^20 bytes; pages that take more are ended (2048).',
  ),
  SESSION_PROCESSES: integer(200, 100_000, 'processes and threads of one session (1500).'),
  SESSION_CPU_WEIGHT: integer(1, 10_000, 'processor weight of one session; other programs have 100 (100).'),
  SESSION_DISK_MB: integer(
    64,
    1_000_000,
    'disk space of one session, in MB of 2^20 bytes (MAX_PROFILE_MB plus 1024, or plus SESSION_FILES_MB and 512 if that is more).',
  ),
  MAX_FILE_MB: integer(
    1,
    1_000_000,
    'size of a file that people may upload or download, in MB of 2^20 bytes (100).',
  ),
  SESSION_FILES_MB: integer(
    1,
    1_000_000,
    'size of all such files of one session, in MB of 2^20 bytes (5 times MAX_FILE_MB, at most half of SESSION_DISK_MB).',
  ),
  SESSION_TABS: integer(1, 1_000, 'pages that one session has open at once (50).'),
  SESSION_VIEWERS: integer(1, 1_000, 'viewers that one session has at once (64).'),
  CREATES_PER_MINUTE: integer(
    1,
    100_000,
    'sessions that one API key may create in a minute; more are refused with 429 (120).',
  ),
  RECORD_DAYS: integer(1, 36_500, 'days for which the record of an ended session can be read (90).'),
  DRAIN_SECONDS: integer(
    0,
    86_400,
    'seconds that sessions with viewers continue after the service was asked to stop (60).',
  ),
  REGION: {
    expected: 'one or several of NA, EU, AS, separated by commas',
    parse: (value) => {
      const names = list(value.toUpperCase());
      return names.every(isRegion) ? [...new Set(names)] : undefined;
    },
    about: 'regions that this service runs sessions for: NA, EU, AS, separated by commas (all).',
  } satisfies Variable<('NA' | 'EU' | 'AS')[]>,
  TRUST_PROXY: integer(
    0,
    10,
    'number of reverse proxies in front of this service that set X-Forwarded-For (0).',
  ),
  ALLOWED_ORIGINS: {
    expected: 'origins such as https://example.com, separated by commas',
    parse: (value) => AllowedOrigins.parse(list(value)),
    about: 'origins of the pages that may show sessions, separated by commas (any).',
  } satisfies Variable<string[]>,
  MAX_CONNECTIONS: integer(
    10,
    100_000,
    'connections that the service has open at once, without those of viewers (2000).',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    2,
    100_000,
    'connections of one address that the service has open at once; not used with TRUST_PROXY (256).',
  ),
  DATABASE_URL: {
    expected: 'the address of a PostgreSQL database, such as postgres://user:password@host:5432/name',
    parse: (value) => (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value) ? value : undefined),
    about:
      'PostgreSQL database in which several machines keep their sessions together, postgres://user:password@host:5432/name (none: files in STATE_DIR).',
  } satisfies Variable<string>,
  DATABASE_CONNECTIONS: integer(
    1,
    1_000,
    'connections to the database that this machine has open at once (10).',
  ),
  CLUSTER_SECRET: {
    expected: 'at least 32 characters, such as "openssl rand -hex 32" prints',
    parse: (value) => (value.length >= 32 ? value : undefined),
    about: 'secret of all machines on one DATABASE_URL, required with it; keys are derived from it (none).',
  } satisfies Variable<string>,
  EGRESS_ALLOW: {
    expected: 'hosts, addresses or networks such as 10.0.0.0/8, each perhaps with :port, separated by commas',
    parse: (value) => EgressRules.parse(list(value)),
    about:
      'private hosts that hosted pages and webhooks may reach: names, addresses or networks, each perhaps with :port, separated by commas (none).',
  } satisfies Variable<EgressRules>,
  EGRESS_DNS: {
    expected: 'addresses of name servers, each perhaps with :port, separated by commas',
    parse: (value) => {
      const servers = list(value);
      return servers.every(isNameServer) ? servers : undefined;
    },
    about:
      "name servers to ask for hosted pages, each perhaps with :port, separated by commas (the system's).",
  } satisfies Variable<string[]>,
  NODE_NAME: text('name of this node, unique among the nodes (the name of the machine and the port).'),
  NODE_URL: {
    expected: 'an http or https address without path or query, such as http://10.0.0.7:8080',
    parse: (value) => {
      const url = parsePublicUrl(value);
      return url !== undefined && new URL(url).pathname === '/' ? url : undefined;
    },
    about: 'address under which other nodes reach this one (made from HOST and PORT).',
  } satisfies Variable<string>,
  CLUSTER_MODE: {
    expected: 'direct or gateway',
    parse: (value) => CLUSTER_MODES.find((mode) => mode === value),
    about:
      'where embed URLs lead with several nodes: direct, to the node of the session; gateway, to any (gateway).',
  } satisfies Variable<'direct' | 'gateway'>,
  MAX_SESSIONS_PER_KEY: integer(
    1,
    1_000_000,
    'sessions that one API key may have at once on all nodes (any number).',
  ),
  MAX_SESSIONS_PER_TENANT: integer(
    1,
    1_000_000,
    'sessions that one tenant may have at once on all nodes (any number).',
  ),
  WARM_HOSTS: integer(0, 16, 'session hosts kept ready so that a session starts fast (1).'),
  WARM_BROWSERS: integer(
    0,
    64,
    'browsers kept running for sessions like those of the last half hour (1; 2 without API_KEYS and with 8 GB of memory; 0 with one core or less than 4 GB of memory).',
  ),
  DOCS_DIR: directory(
    'where "npm run docs" has built the documentation, to serve it at /docs/ (not served).',
  ),
  LOG_LEVEL: {
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (value) => LOG_LEVELS.find((level) => level === value),
    about: 'lowest level of the log lines that are written (info).',
  } satisfies Variable<LogLevel>,
};

const CLUSTER_MODES = ['direct', 'gateway'] as const;

/** The name of a variable. */
export type VariableName = keyof typeof VARIABLES;

/** Parsed value of a variable. Undefined if the text is invalid. */
export type ValueOf<N extends VariableName> = ReturnType<(typeof VARIABLES)[N]['parse']>;

/**
 * Reads a variable. Returns undefined if it is not set. Also returns undefined if it is invalid, and records
 * that problem.
 */
export type ReadVariable = <N extends VariableName>(name: N) => ValueOf<N> | undefined;

/** True for `address` or `address:port`. An IPv6 address with a port is in brackets. */
function isNameServer(text: string): boolean {
  const [, address = text] = /^(?:\[(.+)\]|([^:]+))(?::\d{1,5})?$/.exec(text)?.filter(Boolean) ?? [];
  return isIP(address) !== 0;
}

function isRegion(text: string): text is 'NA' | 'EU' | 'AS' {
  return ['NA', 'EU', 'AS'].includes(text);
}

function list(value: string): string[] {
  return value.split(',').map((entry) => entry.trim());
}

function integer(lowest: number, highest: number, about: string): Variable<number> {
  return {
    expected: `a whole number from ${lowest} to ${highest}`,
    parse: (value) => {
      const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
      return number >= lowest && number <= highest ? number : undefined;
    },
    about,
  };
}

function text(about: string): Variable<string> {
  return { expected: 'a text', parse: (value) => value, about };
}

function directory(about: string): Variable<string> {
  return { expected: 'an absolute path', parse: (value) => (isAbsolute(value) ? value : undefined), about };
}

function parsePublicUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const usable = /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  return usable ? url.href.replace(/\/+$/, '') : undefined;
}
