import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { installNpmPackages } from './npm-packages.mjs';
import { inRoot } from './paths.mjs';
import { run, ScriptError } from './run.mjs';

const FOLDER = inRoot('examples');

async function npm(...args) {
  const { code, output } = await run('npm', ['--prefix', FOLDER, 'run', ...args], { collect: true });
  if (code !== 0) throw new ScriptError(`${output}\nThe examples stopped at: npm run ${args.join(' ')}.`);
}

/** Installs the packed SDK and the npm packages of the examples, and builds the examples. */
export async function buildExamples(sdk) {
  await installNpmPackages('examples');
  const place = inRoot('examples/node_modules/cloud-browser');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  execFileSync('tar', ['-xzf', sdk, '--strip-components=1', '-C', place]);
  await npm('build');
}
