/**
 * For work on the code: Vite serves demo and SDK with live reload, types are checked and the service is built on change, and
 * it restarts when that was done. Ctrl+C ends all of it.
 */
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { ROOT, TOOLS } from './lib/paths.mjs';
import { main } from './lib/run.mjs';
import { setup } from './setup.mjs';

const COMMANDS = [
  [TOOLS.tsc, '-b', '--watch', '--preserveWatchOutput', 'src/protocol', 'src/core', 'src', 'server'],
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

/** A page that is open must not hold up a restart. */
const ENVIRONMENT = { DRAIN_SECONDS: '0', ...process.env };

await main(async () => {
  await setup();
  await build();
  const children = COMMANDS.map((args) =>
    spawn(process.execPath, args, { cwd: ROOT, env: ENVIRONMENT, stdio: 'inherit' }),
  );
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    for (const child of children) child.kill('SIGTERM');
  };
  // Ctrl+C reaches the children by itself, and a second signal would cut their farewell short.
  process.once('SIGINT', () => (stopping = true));
  process.once('SIGTERM', stop);
  for (const child of children) {
    child.once('exit', (code) => {
      if (code) process.exitCode = 1;
      stop();
    });
  }
});
