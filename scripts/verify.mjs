/** Checks types, lint rules, formatting and import direction: everything that does not run the code. */
import { main } from './lib/run.mjs';
import { printChecks, startStaticChecks } from './lib/static-checks.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  const { failed } = printChecks(await startStaticChecks());
  if (failed > 0) process.exitCode = 1;
});
