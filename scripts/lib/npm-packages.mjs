import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run, ScriptError } from './run.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Whether the packages that package-lock.json asks for are there. npm writes what it installed into
 * node_modules/.package-lock.json, so comparing the two needs no stamp of our own and also recognises an
 * installation made by hand. That file does not know what was removed later, such as the node_modules of a
 * workspace: `exists` tells whether a path of the repository does.
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
 * Installs the npm packages of a lockfile when they are not there: the repository's, or those of a folder that only some commands
 * need.
 */
export async function installNpmPackages(folder = '.') {
  const wanted = readJson(inRoot(folder, 'package-lock.json'));
  if (isInstalled(wanted, installedLockfile(folder), (path) => existsSync(inRoot(folder, path)))) return;
  console.log(`Installing npm packages${folder === '.' ? '' : ` of ${folder}`} …`);
  const where = folder === '.' ? [] : ['--prefix', inRoot(folder)];
  const { code } = await run('npm', ['ci', ...where, '--ignore-scripts', '--no-fund', '--no-audit']);
  if (code !== 0) throw new ScriptError('npm could not install the packages; its message is above.');
}
