import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../walk/deadline.js';
import { patient } from './limits.js';

const HOLD_LIMIT_MS = patient(5_000);
/** Stops every thread with ptrace(2), and reaps killed threads, which is the duty of a tracer. */
const PROGRAM = `
import ctypes, os, sys
SEIZE, INTERRUPT, WALL = 0x4206, 0x4207, 0x40000000
libc = ctypes.CDLL(None, use_errno=True)
for task in os.listdir('/proc/%s/task' % sys.argv[1]):
    for request in (SEIZE, INTERRUPT):
        if libc.ptrace(request, int(task), None, None):
            sys.exit('ptrace: ' + os.strerror(ctypes.get_errno()))
print('held', flush=True)
while True:
    try:
        os.waitpid(-1, WALL)
    except ChildProcessError:
        break
`;

/** True if this machine has Python, which holding requires. */
export const canHold = spawnSync('python3', ['-c', 'import ctypes']).status === 0;

/**
 * Holds a process as a debugger does. It does nothing, although no signal has stopped it, like a process in a
 * deadlock. Resolves when it is held. {@link release} ends the holder. Requires root.
 */
export async function hold(pid: number): Promise<ChildProcess> {
  const guard = ['--pdeathsig', 'KILL', '--', 'python3', '-c', PROGRAM, String(pid)];
  const holder = spawn('setpriv', guard, { stdio: ['ignore', 'pipe', 'inherit'] });
  await within(`process ${pid} is held`, HOLD_LIMIT_MS, once(holder.stdout, 'data'));
  return holder;
}

/** Ends a holder. A process that still lives continues. */
export async function release(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}
