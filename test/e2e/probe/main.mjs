/**
 * An attacker who has taken over a session's browser. It runs inside the browser's sandbox: the same command
 * starts it, with the same user, namespaces, directories, environment and descriptors. It waits for the plan,
 * which names the things outside the sandbox. Then it tries to reach each of them, and writes the results
 * into the browser's home.
 *
 * It uses plain Node without packages, because the sandbox contains nothing else.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FILES } from './files.mjs';
import { KERNEL } from './kernel.mjs';
import { NETWORK } from './network.mjs';
import { PROCESSES } from './processes.mjs';
import { SOCKETS } from './sockets.mjs';

const PLAN = '/usr/share/pixmaps/plan/plan.json';
const RESULT = '/home/browser/probe.json';

/**
 * Each try resolves to a description of what it got, or to nothing if it was refused. An exception counts as
 * a refusal.
 */
const TRIES = { ...FILES, ...SOCKETS, ...PROCESSES, ...KERNEL, ...NETWORK };

while (!existsSync(PLAN)) await pause(50);
const plan = JSON.parse(readFileSync(PLAN, 'utf8'));
const outcome = {};
for (const [name, attempt] of Object.entries(TRIES)) {
  try {
    const got = await attempt(plan);
    outcome[name] = got ? { got: String(got).slice(0, 500) } : { refused: 'nothing was there' };
  } catch (error) {
    outcome[name] = { refused: String(error).slice(0, 200) };
  }
}
// Writes wherever it may, so that the test can check if the file appears outside the sandbox.
for (const directory of plan.everywhere) {
  try {
    writeFileSync(`${directory}/${plan.leak}`, '');
  } catch {
    // Refused.
  }
}
// Takes every name that may belong to a lock, so that no other session could start.
for (const name of plan.lockNames) {
  createServer()
    .on('error', () => undefined)
    .listen({ path: `\0${name}` });
}
writeFileSync(`${RESULT}.new`, JSON.stringify(outcome));
renameSync(`${RESULT}.new`, RESULT);
// The names stay taken until the sandbox ends.
await pause(600_000);
