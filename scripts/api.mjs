/**
 * Updates the descriptions of the public interfaces: reports of the SDK's surface, the element's manifest,
 * editor data, the tables of environment variables. `--check` only compares.
 */
import { build } from './build.mjs';
import { installNpmPackages } from './lib/npm-packages.mjs';
import { main, runNode } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  await installNpmPackages('packaging');
  await build();
  const options = process.argv.slice(2);
  const variables = await runNode(['--import', 'tsx', 'scripts/lib/write-variables.mjs', ...options]);
  const { code } = await runNode(['packaging/update.mjs', ...options]);
  process.exitCode = variables.code || code;
});
