/**
 * Updates the descriptions of the public interfaces: reports of the SDK's surface, the element's manifest,
 * editor data, the tables of environment variables and creation fields. `--check` only compares.
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
  const tables = await runNode(['--import', 'tsx', 'scripts/lib/write-tables.mjs', ...options]);
  const { code } = await runNode(['packaging/update.mjs', ...options]);
  process.exitCode = tables.code || code;
});
