/** Brings everything in place that the project needs and git does not hold. Quick when nothing is missing. */
import { pathToFileURL } from 'node:url';
import { BENCH_PACKAGES, SERVICE_PACKAGES } from './lib/debian-packages.mjs';
import { installDebianPackages } from './lib/debian.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { main, ScriptError } from './lib/run.mjs';

/** The lowest Node this project runs on: major and minor. */
const LOWEST_NODE = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [lowestMajor, lowestMinor] = LOWEST_NODE;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return;
  throw new ScriptError(
    `This is Node ${process.versions.node}; cloud-browser needs ${LOWEST_NODE.join('.')} or newer. See https://nodejs.org/.`,
  );
}

/** Checks Node, then installs missing npm and Debian packages; `bench` adds what the benchmark compares with. */
export async function setup({ bench = false } = {}) {
  checkNode();
  await installNpmPackages();
  await installDebianPackages(bench ? [...SERVICE_PACKAGES, ...BENCH_PACKAGES] : SERVICE_PACKAGES);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(() => setup({ bench: process.argv.includes('--bench') }));
}
