import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run, ScriptError } from './run.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes what it installed into
 * node_modules/.package-lock.json, so comparing the two needs no stamp of our own and also recognises an
 * installation made by hand.
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true;
    const found = installed.packages[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version;
  });
}

function installedLockfile() {
  try {
    return readJson(inRoot('node_modules/.package-lock.json'));
  } catch {
    return { packages: {} };
  }
}

/** Installs the npm packages of the lockfile when they are not there. */
export async function installNpmPackages() {
  if (isInstalled(readJson(inRoot('package-lock.json')), installedLockfile())) return;
  console.log('Installing npm packages …');
  const { code } = await run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit']);
  if (code !== 0) throw new ScriptError('npm could not install the packages; its message is above.');
}
