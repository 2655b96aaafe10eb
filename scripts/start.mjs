/**
 * Starts the service after it has installed and built everything. The service runs in the same process. So it
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
  // The documentation of this checkout, if `npm run docs` has built it.
  if (existsSync(inRoot('.build/docs/index.html'))) process.env.DOCS_DIR ||= inRoot('.build/docs');
  await import(inRoot('server/dist/cli.js'));
});
