/**
 * A script like those in `scripts/`. It runs a program that starts others in every way in which a process can
 * outlive its parent.
 */
import { fileURLToPath } from 'node:url';
import { main, runNode } from '../../../scripts/lib/run.mjs';

await main(async () => {
  const { code } = await runNode([fileURLToPath(new URL('program.mjs', import.meta.url))]);
  process.exitCode = code;
});
