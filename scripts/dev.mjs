/**
 * Runs the project for development. Vite serves demo and SDK with live reload. After a change, types are
 * checked, the service is built, and then it restarts. Ctrl+C ends everything.
 */
import { build, PROJECTS } from './build.mjs';
import { TOOLS } from './lib/paths.mjs';
import { main, start } from './lib/run.mjs';
import { setup } from './setup.mjs';

const COMMANDS = [
  [TOOLS.tsc, '-b', '--watch', '--preserveWatchOutput', ...PROJECTS],
  [
    '--watch',
    '--watch-path=server/dist/cli.js',
    '--watch-path=server/dist/host/main.js',
    '--watch-preserve-output',
    'server/dist/cli.js',
  ],
  [TOOLS.vite, 'build', '--watch', '--config', 'vite.server.config.ts', '--logLevel', 'warn'],
  [TOOLS.vite, '--clearScreen', 'false'],
];

/** An open page must not delay a restart. */
const ENVIRONMENT = { DRAIN_SECONDS: '0', ...process.env };

await main(async () => {
  await setup();
  await build();
  const children = COMMANDS.map((args) =>
    start(process.execPath, args, { env: ENVIRONMENT, stdio: 'inherit' }),
  );
  for (const child of children) {
    child.once('exit', (code) => {
      if (code) process.exitCode = 1;
      for (const other of children) other.kill('SIGTERM');
    });
  }
});
