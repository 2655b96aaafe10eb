/**
 * Starts the service, bringing everything in place first. The service runs in this very process, so that it
 * gets the arguments, the environment and every signal, and killing this process kills the service.
 */
import { existsSync } from 'node:fs';
import { build } from './build.mjs';
import { inRoot } from './lib/paths.mjs';
import { main } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  await build();
  // Of this checkout, when `npm run docs` has built it.
  if (existsSync(inRoot('.build/docs/index.html'))) process.env.DOCS_DIR ||= inRoot('.build/docs');
  await import(inRoot('server/dist/cli.js'));
});
