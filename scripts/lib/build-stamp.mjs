import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot, ROOT } from './paths.mjs';

/** What the build reads. Contents count, not dates: a checkout may give old dates to new files. */
const SOURCES = [
  'src',
  'server/src',
  'server/browser-extensions',
  'demo',
  'scripts/build.mjs',
  'scripts/lib/script-parts.mjs',
];
const CONFIGS = /^(package-lock\.json|package\.json|tsconfig.*\.json|vite\..*)$/;
const IGNORED = /(^|\/)(node_modules|dist|\.build)(\/|$)/;

const STAMP = '.build/sources.sha256';

function* filesUnder(path) {
  const entries = readdirSync(inRoot(path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    if (IGNORED.test(inner)) continue;
    if (entry.isDirectory()) yield* filesUnder(inner);
    else yield inner;
  }
}

function* filesOf(paths) {
  for (const path of paths) {
    if (!existsSync(inRoot(path))) continue;
    if (statSync(inRoot(path)).isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** A digest of the files at these paths of the repository and below them, and of this Node. */
export function digestOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of filesOf(paths)) {
    const content = readFileSync(inRoot(path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** A digest of everything the build reads. */
export function sourcesDigest() {
  const configs = readdirSync(ROOT)
    .filter((name) => CONFIGS.test(name))
    .sort();
  return digestOf([...SOURCES, ...configs, 'server/package.json', 'server/tsconfig.json']);
}

/** Whether what a stamp stands for was last completed from sources of this digest, and its outputs are still there. */
export function isDone(stamp, digest, outputs) {
  return (
    existsSync(inRoot(stamp)) &&
    readFileSync(inRoot(stamp), 'utf8') === digest &&
    outputs.every((path) => existsSync(inRoot(path)))
  );
}

/** Notes in a stamp, a path of the repository, that something was completed. */
export function markDone(stamp, digest) {
  mkdirSync(dirname(inRoot(stamp)), { recursive: true });
  writeFileSync(inRoot(stamp), digest);
}

/** Whether the last complete build was made from sources of this digest and its outputs are still there. */
export const isBuilt = (digest, outputs) => isDone(STAMP, digest, outputs);

/** Notes a complete build. */
export const markBuilt = (digest) => markDone(STAMP, digest);
