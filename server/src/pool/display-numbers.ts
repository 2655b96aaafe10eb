import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { acquireLock } from '../platform/machine-lock.js';

/** X displays of sessions have numbers from here on: far from those that people start by hand. */
const FIRST_NUMBER = 2_000;
/** X servers listen on TCP port 6000 + number, if at all; beyond this there is none. */
const LAST_NUMBER = 59_535;

/** A number that no other X server on this machine uses. */
export interface DisplayNumber {
  number: number;
  /** Removes what a killed X server left behind and gives the number back. */
  release(): Promise<void>;
}

/**
 * Takes a display number for one session. All services of this machine, whoever runs them, share the numbers: an X
 * server would take away the socket of another one with the same number.
 */
export async function takeDisplayNumber(): Promise<DisplayNumber | undefined> {
  for (let number = FIRST_NUMBER; number <= LAST_NUMBER; number++) {
    const lock = await acquireLock(`display/${number}`);
    if (!lock) continue;
    if (await clear(number)) return { number, release: () => clear(number).then(() => lock.release()) };
    await lock.release();
  }
  return undefined;
}

/** Removes a dead server's files; false when the server lives, or its files are not ours to remove. */
async function clear(number: number): Promise<boolean> {
  const lockFile = `/tmp/.X${number}-lock`;
  const socket = `/tmp/.X11-unix/X${number}`;
  // xkbcomp's, for the moment that a server needs to read it: one that was killed then leaves it behind, and no other user's
  // server can have this number any more.
  const keyboard = `/tmp/server-${number}.xkm`;
  const pid = Number(await readFile(lockFile, 'utf8').catch(() => ''));
  if ((pid > 0 && isAlive(pid)) || (await answers(socket))) return false;
  try {
    for (const file of [lockFile, socket, keyboard]) await rm(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
