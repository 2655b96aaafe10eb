import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { ROOT } from './paths.mjs';

/** A sentence for the person at the terminal: printed without a stack trace, exit code 1. */
export class ScriptError extends Error {
  name = 'ScriptError';
}

/**
 * Runs a command in the repository's folder or in `cwd`, its output on this terminal, or collected with `collect`. With `aside` it gets
 * only the processor time that other processes leave.
 * Resolves with the exit code (1 when a signal ended it) and what was collected; rejects only when the
 * command cannot be started.
 */
export function run(command, args, { collect = false, aside = false, env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: collect ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => (output += text));
    }
    // A signal that ends this script must end its command too; Ctrl+C reaches the command by itself.
    const forward = () => child.kill('SIGTERM');
    process.once('SIGTERM', forward);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGTERM', forward);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a Node program; see `run`. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Runs a script's main function and turns a `ScriptError` into one sentence. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof ScriptError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
