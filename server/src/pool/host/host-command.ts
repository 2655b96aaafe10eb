import type { ExpectedScreen, HostPlace } from '../../host-protocol.js';
import { NO_CORE } from '../../platform/process/guarded-command.js';
import { openFileLimits } from '../../platform/process/proc.js';
import { DESCRIPTORS, wall, type SessionLimits } from '../../platform/session-limits.js';

/**
 * Options of Node for a host. Helper threads of the garbage collector would take 2 MB of each session. The
 * heap of a host is usually small: without these threads, the longest pause for a full collection was 16 ms
 * instead of 11 ms.
 */
const NODE_OPTIONS = ['--single-threaded-gc'];

/**
 * Returns the command that runs Node for a host. If the service runs as root, each session has its own IPC
 * namespace. In this namespace, Xorg and Chromium share the memory of every frame (System V). This halves the
 * time from a click to the painted pixel. No other session can access this memory.
 *
 * @param ownLimits content of `/proc/self/limits`. No program of a session may have more open files than the
 *   service, because only some services that run as root may raise this limit
 */
export function hostCommand(
  place: HostPlace,
  limits: SessionLimits,
  ownLimits?: string,
): { execPath: string; execArgv: string[] } {
  const execArgv = process.execArgv.filter((argument) => !argument.startsWith('--inspect'));
  const ipc = place.uid === undefined ? [] : ['unshare', '--ipc', '--'];
  const descriptors = Math.min(DESCRIPTORS, openFileLimits(ownLimits).hard ?? DESCRIPTORS);
  const walls = rlimits(place, limits, descriptors);
  return {
    execPath: 'prlimit',
    execArgv: [...walls, '--', ...ipc, process.execPath, ...NODE_OPTIONS, ...execArgv],
  };
}

/** Returns the arguments for the main module of a host. The host reads them with `argumentsOf`. */
export function hostArguments(place: HostPlace, expected?: ExpectedScreen): string[] {
  if (!expected) return [JSON.stringify(place)];
  const { width, height, pixelRatio, fps, quality } = expected;
  return [place, { width, height, pixelRatio, fps, quality }].map((argument) => JSON.stringify(argument));
}

/**
 * Returns options of `prlimit`: the kernel's limits for every program of a session, including the host, see
 * setrlimit(2). The kernel counts processes by user, so the limit of processes is set only if the session has
 * its own user.
 */
function rlimits({ uid }: HostPlace, { processes, diskBytes }: SessionLimits, descriptors: number): string[] {
  return [
    `--nofile=${descriptors}:${descriptors}`,
    `--fsize=${diskBytes}:${diskBytes}`,
    NO_CORE,
    ...(uid === undefined ? [] : [`--nproc=${wall(processes)}:${wall(processes)}`]),
  ];
}
