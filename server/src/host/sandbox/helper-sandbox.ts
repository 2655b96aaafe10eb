import { systemArgs } from './system.js';

/** Directory in which programs look for the sockets of X displays. */
export const X_SOCKETS = '/tmp/.X11-unix';
/** The only display that a session's programs see, because each program has its own /tmp. */
export const DISPLAY = ':0';

/** The descriptor from which bubblewrap reads the system-call filter for a helper program. */
export const HELPER_FILTER = 4;

/**
 * Parts of the machine that a helper program (X server, window manager or sound server) can access, in
 * addition to the read-only system. Maps paths inside to paths outside.
 */
export interface HelperSandboxParts {
  writable: Readonly<Record<string, string>>;
  readOnly?: Readonly<Record<string, string>>;
  /**
   * True if the helper program shares an IPC namespace, and thereby the memory of frames, with the process
   * that starts it.
   */
  sharesIpc?: boolean;
}

/**
 * Returns the bubblewrap command line around the X server, the window manager and the sound server. The
 * browser is their client, so an attacker who broke out of the browser may take them over. Therefore these
 * programs have no network, no access to other directories, and their own /tmp. The machine's /tmp contains
 * no file of a session, because any user can create links and pipes there.
 */
export function helperArgs(
  { writable, readOnly = {}, sharesIpc = false }: HelperSandboxParts,
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
