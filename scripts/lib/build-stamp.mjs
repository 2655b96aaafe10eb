import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const STAMP = inRoot('.build/sources.sha256');

function* filesUnder(path) {
  const entries = readdirSync(inRoot(path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    if (IGNORED.test(inner)) continue;
    if (entry.isDirectory()) yield* filesUnder(inner);
    else yield inner;
  }
}

function* sources() {
  for (const path of SOURCES) {
    if (!existsSync(inRoot(path))) continue;
    if (/\.\w+$/.test(path)) yield path;
    else yield* filesUnder(path);
  }
  yield* readdirSync(ROOT)
    .filter((name) => CONFIGS.test(name))
    .sort();
  yield* ['server/package.json', 'server/tsconfig.json'];
}

/** A digest of everything the build reads. */
export function sourcesDigest() {
  const hash = createHash('sha256').update(process.version);
  for (const path of sources()) {
    const content = readFileSync(inRoot(path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the last complete build was made from sources of this digest and its outputs are still there. */
export function isBuilt(digest, outputs) {
  return (
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === digest &&
    outputs.every((path) => existsSync(inRoot(path)))
  );
}

/** Notes a complete build. */
export function markBuilt(digest) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, digest);
}
