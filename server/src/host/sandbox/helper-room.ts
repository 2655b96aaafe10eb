import { systemArgs } from './system.js';

/** Where programs look for the sockets of X displays. */
export const X_SOCKETS = '/tmp/.X11-unix';
/** The only display that a session's programs see: each has a /tmp of its own. */
export const DISPLAY = ':0';

/** The descriptor of these programs' filter of system calls. */
export const HELPER_FILTER = 4;

/** What a program that a session's browser talks to sees, besides a read-only system. Paths inside to paths outside. */
export interface HelperRoom {
  writable: Readonly<Record<string, string>>;
  readOnly?: Readonly<Record<string, string>>;
  /** It shares an IPC namespace with the process that starts it: memory for frames. */
  sharesIpc?: boolean;
}

/**
 * The bubblewrap command line around the display's server, the window manager and the sound server. The browser is their client, so
 * one that broke out may take them over: they have no network, no directory of others, and a /tmp of their own. So nothing of a
 * session lies in the machine's /tmp, where anybody can put links and pipes.
 */
export function helperArgs(
  { writable, readOnly = {}, sharesIpc = false }: HelperRoom,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): string[] {
  const args = [
    ...systemArgs(environment, HELPER_FILTER),
    '--unshare-net',
    ...(sharesIpc ? [] : ['--unshare-ipc']),
  ];
  for (const [path, source] of Object.entries(writable)) args.push('--bind', source, path);
  for (const [path, source] of Object.entries(readOnly)) args.push('--ro-bind', source, path);
  return [...args, '--remount-ro', '/', '--', ...command];
}
