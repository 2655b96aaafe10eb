/**
 * Runs beside a session's browser, inside its sandbox, as a browser does that somebody broke out of: started
 * by the same command, with the same user, namespaces, directories, environment and descriptors. Waits for
 * the plan, which says what there is to be found outside, tries everything, and writes what came of it into
 * the browser's home.
 *
 * Plain Node without packages: nothing else can be seen from in there.
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
// Wherever it may write, so that the test can look whether it shows anywhere else.
for (const directory of plan.everywhere) {
  try {
    writeFileSync(`${directory}/${plan.leak}`, '');
  } catch {
    // Refused.
  }
}
// And every name that could be a lock's, so that nobody else gets a session.
for (const name of plan.lockNames) {
  createServer()
    .on('error', () => undefined)
    .listen({ path: `\0${name}` });
}
writeFileSync(`${RESULT}.new`, JSON.stringify(outcome));
renameSync(`${RESULT}.new`, RESULT);
// Names that it took stay taken until the sandbox ends.
await pause(600_000);
