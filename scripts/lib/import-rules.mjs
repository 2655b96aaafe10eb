/**
 * Import rules as data (zones, and the zones that each may import), and a pure function that checks source
 * files.
 *
 * A *zone* is a folder or a single file directly below a source root. `*.ts` stands for the files without an
 * entry of their own. `*` allows every zone of that root.
 */

import { readdirSync } from 'node:fs';
import { inRoot } from './paths.mjs';

const SERVER_ADAPTERS = ['auth', 'webhooks', 'profiles', 'registry', 'extensions'];

/** Layers of the SDK, in the order of their dependencies. A layer imports only the zones in its list. */
const SDK_ZONES = {
  protocol: [],
  core: ['protocol'],
  api: ['protocol'],
  media: ['protocol'],
  input: ['protocol'],
  viewer: ['protocol', 'core', 'media', 'input'],
  element: ['protocol', 'core', 'media', 'input', 'viewer'],
  'embed-module': ['protocol', 'core', 'media', 'input', 'viewer'],
  embed: ['protocol', 'core', 'media', 'input', 'viewer', 'element', 'embed-module'],
  // Texts of the other element, whose languages both share.
  replay: ['element'],
  'dom-names.ts': [],
  'index.ts': ['protocol', 'core', 'api', 'media', 'input', 'viewer', 'dom-names.ts'],
};

/** Adapters that can also use a database. */
const WITH_DATABASE = ['registry', 'webhooks', 'profiles'];

/** Zones that every area of the service may use. */
const SERVER_BASE = ['platform', 'service-error.ts', 'recording-protocol.ts'];

/**
 * Areas of the service. Adapters implement the ports of sessions/, and do not import each other. pool/ shares
 * only the messages between processes with host/ and egress/. http/ and gateway/ are the surface, and do not
 * import each other either.
 */
const SERVER_ZONES = {
  'service-error.ts': [],
  // The fields of a create request: the schema, and the settings that follow from each.
  'create-fields': SERVER_BASE,
  // The parts of recordings that a host sends to the service.
  'recording-protocol.ts': [],
  'host-protocol.ts': ['platform', 'create-fields', 'recording-protocol.ts'],
  'egress-protocol.ts': ['host-protocol.ts'],
  'launch-key.ts': ['host-protocol.ts', 'create-fields', 'sessions'],
  platform: [],
  config: SERVER_BASE,
  sessions: [...SERVER_BASE, 'create-fields', 'host-protocol.ts'],
  database: SERVER_BASE,
  ...Object.fromEntries(
    SERVER_ADAPTERS.map((name) => [name, [...SERVER_BASE, 'sessions', 'host-protocol.ts']]),
  ),
  ...Object.fromEntries(
    WITH_DATABASE.map((name) => [name, [...SERVER_BASE, 'sessions', 'host-protocol.ts', 'database']]),
  ),
  // Several machines: the machine that a session runs on, and the connections between them.
  cluster: [...SERVER_BASE, 'create-fields', 'sessions', 'host-protocol.ts', 'database'],
  pool: [...SERVER_BASE, 'sessions', 'host-protocol.ts', 'egress-protocol.ts', 'launch-key.ts'],
  host: [...SERVER_BASE, 'host-protocol.ts'],
  egress: [...SERVER_BASE, 'egress-protocol.ts', 'host-protocol.ts'],
  // The files and the index of recordings.
  recordings: [...SERVER_BASE, 'sessions', 'database'],
  // Views of the nodes for operators.
  operator: [...SERVER_BASE, 'sessions'],
  gateway: [...SERVER_BASE, 'sessions', 'host-protocol.ts'],
  // Tools for AI applications. They know no sessions, because the command runs outside of the service.
  mcp: ['platform'],
  http: [...SERVER_BASE, 'create-fields', 'sessions', 'auth', 'host-protocol.ts', 'mcp'],
  // The steps of the start. They and these files combine the areas. No area imports one of them.
  startup: ['*'],
  '*.ts': ['*'],
};

/**
 * Areas of the session host, in the order of their dependencies: programs and their sandbox, the screen and
 * its streams, input, the room of users, the features of a session.
 */
const HOST_ZONES = {
  sandbox: [],
  limits: [],
  // Checks of the session's processes.
  watch: ['limits'],
  // Freezes the programs of a session that nobody uses.
  standby: ['limits'],
  audio: ['sandbox'],
  display: ['sandbox'],
  capture: ['display'],
  encode: ['capture'],
  stream: ['capture', 'encode'],
  browser: ['audio', 'display', 'sandbox', 'limits'],
  input: ['display', 'browser'],
  room: ['stream', 'input'],
  features: ['room', 'stream', 'input', 'display', 'browser', 'capture', 'encode'],
  // A display with a browser, its input devices and its screen.
  workstation: ['*'],
  // These files combine the areas. No area imports one of them.
  '*.ts': ['*'],
};

/**
 * Features of a session. None imports another one, so that a feature can be removed with its folder, its
 * import and its name in `index.ts`. The other files beside the folders import no feature.
 */
const FEATURES = readdirSync(inRoot('server/src/host/features'), { withFileTypes: true });
const FEATURE_ZONES = {
  ...Object.fromEntries(
    FEATURES.filter((entry) => entry.isDirectory()).map(({ name }) => [name, ['feature.ts']]),
  ),
  'index.ts': ['*'],
  'feature.ts': [],
  'feature-set.ts': ['feature.ts', 'index.ts'],
};

/**
 * The code that turns a create request into settings does not know running sessions. The other folders group
 * files by topic.
 */
const SESSIONS_ZONES = {
  settings: [],
  creation: ['*'],
  placement: ['*'],
  profiles: ['*'],
  records: ['*'],
  tokens: ['*'],
  recordings: ['*'],
  viewers: ['*'],
  '*.ts': ['*'],
};

/** Routes may use all other zones. Answers, bodies, pages and schemas are independent zones. */
const HTTP_ZONES = {
  answers: [],
  access: ['answers'],
  files: ['answers'],
  bodies: [],
  pages: [],
  schemas: [],
  routes: ['*'],
  '*.ts': ['*'],
};

/** Source roots with their zones. A root inside another one has additional rules for its files. */
export const IMPORT_RULES = {
  src: SDK_ZONES,
  'server/src': SERVER_ZONES,
  'server/src/host': HOST_ZONES,
  'server/src/host/features': FEATURE_ZONES,
  'server/src/sessions': SESSIONS_ZONES,
  'server/src/http': HTTP_ZONES,
};

/** Import, export-from and dynamic import of a relative path. */
const RELATIVE_IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\1/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Resolves `./x.js` beside `folder/y.ts` to `folder/x.ts`, with forward slashes. */
function resolveImport(from, specifier) {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/\.js$/, '.ts');
}

/** Returns the zone of a file below a root. */
function zoneOf(path, root) {
  return path.slice(root.length + 1).split('/')[0];
}

/** Returns the outermost root of a file. */
function outerRoot(path, rules) {
  return Object.keys(rules)
    .filter((root) => path.startsWith(`${root}/`))
    .sort((a, b) => a.length - b.length)[0];
}

/** Returns the violation of an import by the rules of one root that contains both files. */
function checkZones(from, to, root, zones) {
  const [source, target] = [zoneOf(from, root), zoneOf(to, root)];
  if (source === target) return undefined;
  const allowed = zones[source] ?? (source.endsWith('.ts') ? zones['*.ts'] : undefined);
  if (allowed === undefined) {
    return `${from} is in ${source}, which has no entry in scripts/lib/import-rules.mjs.`;
  }
  if (allowed.includes('*') || allowed.includes(target)) return undefined;
  const may = allowed.length === 0 ? 'nothing outside itself' : `only ${allowed.join(', ')}`;
  return `${from} imports ${to}: ${source} may import ${may}.`;
}

function checkDirection(from, to, rules) {
  const root = outerRoot(from, rules);
  if (root === undefined) return undefined;
  if (outerRoot(to, rules) !== root) {
    return `${from} imports ${to}, which is outside ${root}/; import the package by its name.`;
  }
  return Object.entries(rules)
    .filter(([name]) => from.startsWith(`${name}/`) && to.startsWith(`${name}/`))
    .map(([name, zones]) => checkZones(from, to, name, zones))
    .find((problem) => problem !== undefined);
}

/** Returns every import cycle once, as the list of its files. */
function findCycles(graph) {
  const done = new Set();
  const trail = [];
  const cycles = [];
  const visit = (path) => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}

/** Checks files (path → source text) against the rules. Returns one sentence for each violation. */
export function checkImports(files, rules = IMPORT_RULES) {
  const problems = [];
  const graph = new Map();
  for (const [path, text] of files) {
    const targets = new Set();
    for (const [, , specifier] of text.replace(COMMENT, '').matchAll(RELATIVE_IMPORT)) {
      const target = resolveImport(path, specifier);
      targets.add(target);
      const problem = checkDirection(path, target, rules);
      if (problem !== undefined) problems.push(problem);
    }
    graph.set(path, targets);
  }
  for (const cycle of findCycles(graph)) problems.push(`Import cycle: ${cycle.join(' → ')}.`);
  return problems;
}
