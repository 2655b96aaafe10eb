/** Installs everything that the project needs and git does not contain. Fast if nothing is missing. */
import {
  BENCH_PACKAGES,
  CLUSTER_PACKAGES,
  SERVICE_PACKAGES,
  SHORT_TEST_PACKAGES,
  TEST_PACKAGES,
} from './lib/debian-packages.mjs';
import { installDebianPackages } from './lib/debian.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { ScriptError } from './lib/run.mjs';

/** Lowest supported version of Node: major and minor. */
const LOWEST_NODE = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [lowestMajor, lowestMinor] = LOWEST_NODE;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return;
  throw new ScriptError(
    `This is Node ${process.versions.node}; cloud-browser needs ${LOWEST_NODE.join('.')} or newer. See https://nodejs.org/.`,
  );
}

/** Packages that only some commands need, by the command's purpose. */
const MORE_PACKAGES = {
  'short-test': SHORT_TEST_PACKAGES,
  test: TEST_PACKAGES,
  bench: BENCH_PACKAGES,
  cluster: CLUSTER_PACKAGES,
};

/**
 * Checks Node, then installs missing npm and Debian packages. `purpose` (a key of MORE_PACKAGES) adds
 * the packages for that purpose.
 */
export async function setup(purpose) {
  checkNode();
  await installNpmPackages();
  await installDebianPackages([...SERVICE_PACKAGES, ...(MORE_PACKAGES[purpose] ?? [])]);
}
