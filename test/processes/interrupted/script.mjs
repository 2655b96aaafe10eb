/**
 * A script as those in `scripts/`: it runs a program that starts others in all ways that outlive their
 * parent.
 */
import { fileURLToPath } from 'node:url';
import { main, runNode } from '../../../scripts/lib/run.mjs';

await main(async () => {
  const { code } = await runNode([fileURLToPath(new URL('program.mjs', import.meta.url))]);
  process.exitCode = code;
});
