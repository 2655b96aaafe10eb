import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { ROOT } from './paths.mjs';
import { endFamily } from './process-family.mjs';

/** An error for the user at the terminal: printed without a stack trace, exit code 1. */
export class ScriptError extends Error {
  name = 'ScriptError';
}

/** Signals of Ctrl+C, a supervisor, and the end of the terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const SETPRIV = '/usr/bin/setpriv';

/** Running commands, with the time that each may take to end after a signal. */
const running = new Map();
let interrupted = false;
let listening = false;

/** Ends all commands with their processes, and then this script, with the exit code of the signal. */
async function interrupt(signal) {
  if (interrupted) return;
  interrupted = true;
  // A terminal that is gone cannot be written to.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await Promise.all([...running].map(([child, graceMs]) => endFamily(child.pid, signal, graceMs)));
  process.exit(128 + constants.signals[signal]);
}

/** Listens for the signals while a command runs. */
function listen() {
  const wanted = running.size > 0;
  if (interrupted || wanted === listening) return;
  listening = wanted;
  for (const signal of SIGNALS)
    if (wanted) process.on(signal, interrupt);
    else process.off(signal, interrupt);
}

/**
 * Starts a command that does not outlive this script, and neither do its processes. The command leads a
 * session of its own, which identifies all its processes. So Ctrl+C reaches only this script, which passes it
 * on.
 *
 * @param graceMs milliseconds that the command may take to end after a signal; then it is killed
 */
export function start(command, args, { graceMs, ...options } = {}) {
  // If this script is killed and cannot end its commands, the kernel at least kills the commands themselves.
  const tied = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : [];
  const [program, ...rest] = [...tied, command, ...args];
  const child = spawn(program, rest, { cwd: ROOT, ...options, detached: true });
  if (child.pid === undefined) return child;
  running.set(child, graceMs);
  listen();
  child.once('exit', () => {
    // During an interrupt, the command stays in the list until all its processes have ended.
    if (interrupted) return;
    running.delete(child);
    listen();
  });
  return child;
}

/**
 * Runs a command in the repository's folder or in `cwd`. Its output goes to this terminal, or is collected
 * with `collect`. With `aside` it gets only the processor time that other processes leave. A signal that ends
 * this script ends the command too, see {@link start}.
 * Resolves with the exit code (1 if a signal ended it) and the collected output. Rejects only if the command
 * cannot be started.
 */
export function run(command, args, { collect = false, aside = false, env = {}, cwd = ROOT, graceMs } = {}) {
  return new Promise((resolve, reject) => {
    // The script is about to end, so no new command begins.
    if (interrupted) return;
    const child = start(command, args, {
      ...{ cwd, graceMs },
      env: { ...process.env, ...env },
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (!interrupted) resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a Node program, see `run`. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Runs a script's main function. Prints a `ScriptError` as one sentence. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof ScriptError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
