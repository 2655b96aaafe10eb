/**
 * Starts processes that end by no signal but SIGKILL, some of which nobody knows any more, and prints their
 * process ids.
 */
import { spawn } from 'node:child_process';

const STUBBORN = `
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  console.log(process.pid);
  setInterval(() => undefined, 1_000);
`;
/** Starts a process and ends. */
const PARENT = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: 'inherit' });
  setTimeout(() => process.exit(), 50);
`;

const kinds = [
  spawn(process.execPath, ['-e', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] }),
  spawn(process.execPath, ['-e', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'], detached: true }),
  spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] }),
];
const pids = await Promise.all(
  kinds.map(
    ({ stdout }) => new Promise((resolve) => stdout.once('data', (text) => resolve(Number(String(text))))),
  ),
);
console.log(`started ${[process.pid, ...pids].join(' ')}`);
setInterval(() => undefined, 1_000);
