import type { ExpectedScreen, HostPlace } from '../host-protocol.js';
import { DESCRIPTORS, wall, type SessionLimits } from '../platform/session-limits.js';

/**
 * How Node is run for a host. As root, in an IPC namespace of the session's own: Xorg and Chromium share memory for every
 * frame (System V), which halves the time from a click to the painted pixel, and no other session can see it.
 */
export function hostCommand(
  place: HostPlace,
  limits: SessionLimits,
): { execPath: string; execArgv: string[] } {
  const execArgv = process.execArgv.filter((argument) => !argument.startsWith('--inspect'));
  const ipc = place.uid === undefined ? [] : ['unshare', '--ipc', '--'];
  return {
    execPath: 'prlimit',
    execArgv: [...rlimits(place, limits), '--', ...ipc, process.execPath, ...execArgv],
  };
}

/** The arguments of a host's main module, which `argumentsOf` of it reads. */
export function hostArguments(place: HostPlace, expected?: ExpectedScreen): string[] {
  if (!expected) return [JSON.stringify(place)];
  const { width, height, pixelRatio, fps, quality } = expected;
  return [place, { width, height, pixelRatio, fps, quality }].map((argument) => JSON.stringify(argument));
}

/**
 * What the kernel holds every program of a session to, this host included; see setrlimit(2). It counts processes by user, so that says
 * something only where a session is a user.
 */
function rlimits({ uid }: HostPlace, { processes, diskBytes }: SessionLimits): string[] {
  return [
    `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`,
    `--fsize=${diskBytes}:${diskBytes}`,
    ...(uid === undefined ? [] : [`--nproc=${wall(processes)}:${wall(processes)}`]),
  ];
}
