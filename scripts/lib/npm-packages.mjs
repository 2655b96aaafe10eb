import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run, ScriptError } from './run.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * True if the packages of package-lock.json are installed. npm writes the list of installed packages into
 * node_modules/.package-lock.json. Comparing the two needs no additional stamp, and also recognizes a manual
 * installation. That file does not show later removals, for example of a workspace's node_modules, so
 * `exists` checks the paths in the repository.
 */
export function isInstalled(wanted, installed, exists) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    if (entry.link) return exists(path);
    const found = installed.packages[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && exists(path);
  });
}

function installedLockfile(folder) {
  try {
    return readJson(inRoot(folder, 'node_modules/.package-lock.json'));
  } catch {
    return { packages: {} };
  }
}

/**
 * Installs the npm packages of a lockfile if they are missing: those of the repository, or of a folder that
 * only some commands need.
 */
export async function installNpmPackages(folder = '.') {
  const wanted = readJson(inRoot(folder, 'package-lock.json'));
  if (isInstalled(wanted, installedLockfile(folder), (path) => existsSync(inRoot(folder, path)))) return;
  console.log(`Installing npm packages${folder === '.' ? '' : ` of ${folder}`} …`);
  const where = folder === '.' ? [] : ['--prefix', inRoot(folder)];
  const { code } = await run('npm', ['ci', ...where, '--ignore-scripts', '--no-fund', '--no-audit']);
  if (code !== 0) throw new ScriptError('npm could not install the packages; its message is above.');
}
