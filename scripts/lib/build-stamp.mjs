import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot, ROOT } from './paths.mjs';

/**
 * Files that the build reads. Their content is compared instead of their dates: a checkout may give old dates
 * to new files.
 */
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

/**
 * Returns a digest of this version of Node and of the files at these paths of the repository, including files
 * below them.
 */
export function digestOf(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of filesOf(paths)) {
    const content = readFileSync(inRoot(path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Returns a digest of all files that the build reads. */
export function sourcesDigest() {
  const configs = readdirSync(ROOT)
    .filter((name) => CONFIGS.test(name))
    .sort();
  return digestOf([...SOURCES, ...configs, 'server/package.json', 'server/tsconfig.json']);
}

/** True if the result of a stamp was completed from sources with this digest, and its outputs still exist. */
export function isDone(stamp, digest, outputs) {
  return (
    existsSync(inRoot(stamp)) &&
    readFileSync(inRoot(stamp), 'utf8') === digest &&
    outputs.every((path) => existsSync(inRoot(path)))
  );
}

/** Writes a stamp, a path of the repository, after its result was completed. */
export function markDone(stamp, digest) {
  mkdirSync(dirname(inRoot(stamp)), { recursive: true });
  writeFileSync(inRoot(stamp), digest);
}

/** True if the last complete build was made from sources with this digest, and its outputs still exist. */
export const isBuilt = (digest, outputs) => isDone(STAMP, digest, outputs);

/** Writes the stamp of a complete build. */
export const markBuilt = (digest) => markDone(STAMP, digest);
