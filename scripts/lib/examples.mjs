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

/** Gives the examples the SDK as it is packed, beside what npm installs for them, and builds them. */
export async function buildExamples(sdk) {
  await installNpmPackages('examples');
  const place = inRoot('examples/node_modules/cloud-browser');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  execFileSync('tar', ['-xzf', sdk, '--strip-components=1', '-C', place]);
  await npm('build');
}
