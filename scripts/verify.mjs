/** Checks types, lint rules, formatting and import direction: everything that needs no run of the code. */
import { generate } from './build.mjs';
import { main } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  await generate();
  const { failed } = printChecks(await startStaticChecks());
  if (failed > 0) process.exitCode = 1;
});
