import { dirname } from 'node:path';
import type { ManagedProcess } from '../../platform/process/child-process.js';
import { browserView } from './browser-view.js';
import { X_SOCKETS } from './helper-sandbox.js';
import { memoryIn, ownUser, withoutExecution } from './no-exec.js';
import { namespaceArgs, systemLinks } from './system.js';

/** Parts of a session that its browser can access, in addition to the read-only system. */
export interface BrowserSandboxParts {
  /** The session's directory. It contains all files and directories that the browser may write to. */
  directory: string;
  /** The user of the browser, on the machine and inside the sandbox. */
  user: { uid: number; gid: number };
  /** Writable home and profile, on the host's file system. */
  home: string;
  /** Directory of this session's Chromium policy files. */
  policies: string;
  /** Directory of the display's socket, and its cookie. Absent for a browser without a display. */
  display?: { sockets: string; authorityFile: string };
  /** Directory of the sound server's socket. Absent for a browser without sound. */
  sound?: string;
  /**
   * True if the process that starts the sandbox has an IPC namespace that no other session shares. Then the
   * browser uses this namespace too.
   */
  sharesIpc: boolean;
  /**
   * `joined`: the browser stays in the network namespace of the process that starts the sandbox. This is the
   * session's own network. `none`: the browser has only the loopback interface.
   */
  network: 'joined' | 'none';
  /** More read-only directories. Maps the path inside to the path outside. */
  readOnly?: Readonly<Record<string, string>>;
  /**
   * Read-only files. Inside the sandbox, the directory of each file contains only the files of this list.
   * Maps the path inside to the path outside.
   */
  replaced?: Readonly<Record<string, string>>;
}

/** The descriptor of the browser's system-call filter. It follows the descriptors of the CDP pipe. */
export const BROWSER_FILTER = 5;
/** Path of the session's home inside the sandbox. */
export const INNER_HOME = '/home/browser';
/** Path of the display's cookie inside the sandbox. */
export const INNER_AUTHORITY = '/run/session/authority';
/**
 * Path of the extensions inside the sandbox. Chromium may write to this directory, but the files of each
 * extension are read-only.
 */
export const INNER_EXTENSIONS = '/run/extensions';
/** Path of {@link BrowserSandboxParts.sound} inside the sandbox. */
export const INNER_SOUND = '/run/session/sound';

/**
 * The descriptor from which bubblewrap reads its arguments. The arguments contain the path of the session's
 * directory. They are not on the command line, because the browser could read the command line.
 */
export const BROWSER_ARGUMENTS = 6;
/** The first descriptor after the browser's descriptors. */
export const FREE_DESCRIPTOR = 7;

/**
 * Returns the command line around Chromium, and the arguments that bubblewrap reads from a descriptor. The
 * browser has its own user, process and host-name namespaces. It sees only the needed parts of the system,
 * this session's policies, and the session's sockets for display and sound. Home, /tmp, /dev/shm and the
 * directories of extensions are writable, but programs in them cannot be executed. Descriptors 3 and 4, the
 * CDP pipe, pass through. Chromium's own sandbox works inside and is not weakened.
 */
export function browserSandbox(
  room: BrowserSandboxParts,
  environment: Record<string, string>,
  command: readonly string[],
): { command: string[]; args: string[] } {
  const { directory, user } = room;
  const args = [
    ...namespaceArgs(environment, BROWSER_FILTER, ['--bind', memoryIn(directory, 'shm'), '/dev/shm']),
    ...ownUser(user.uid, user.gid),
    // If the service runs as root, each session, including its display, has its own IPC namespace. Otherwise
    // all sessions run as the same user, and only this option separates their shared memory. Then browser and
    // display can share no memory, so the browser sends its frames over the X socket.
    ...(room.sharesIpc ? [] : ['--unshare-ipc']),
    ...(room.network === 'none' ? ['--unshare-net'] : []),
    ...['--bind', memoryIn(directory, 'tmp'), '/tmp', '--tmpfs', '/run', '--tmpfs', '/home'],
    ...['--bind', memoryIn(directory, 'extensions'), INNER_EXTENSIONS],
    ...browserView(),
    ...systemLinks(),
  ];
  args.push('--ro-bind', room.policies, '/etc/chromium/policies/managed');
  args.push('--bind', room.home, INNER_HOME, '--chdir', INNER_HOME);
  if (room.display) {
    args.push('--ro-bind', room.display.sockets, X_SOCKETS);
    args.push('--ro-bind', room.display.authorityFile, INNER_AUTHORITY);
  }
  // Mounts the directory instead of the socket in it, because a restarted sound server creates another
  // socket.
  if (room.sound) args.push('--ro-bind', room.sound, INNER_SOUND);
  for (const [path, source] of Object.entries(room.readOnly ?? {})) args.push('--ro-bind', source, path);
  const replaced = Object.entries(room.replaced ?? {});
  for (const inside of new Set(replaced.map(([path]) => dirname(path)))) args.push('--tmpfs', inside);
  for (const [path, source] of replaced) args.push('--ro-bind', source, path);
  // Makes these paths read-only last, because the mounts above create directories in them.
  for (const path of ['/run', '/home', '/']) args.push('--remount-ro', path);
  return {
    command: [...withoutExecution(directory), 'bwrap', '--args', String(BROWSER_ARGUMENTS), '--', ...command],
    args,
  };
}

/**
 * Writes bubblewrap's arguments to its descriptor. Ignores write errors, because a bubblewrap that failed
 * does not read them.
 */
export function giveArguments(sandbox: ManagedProcess, args: readonly string[]): void {
  sandbox
    .pipe(BROWSER_ARGUMENTS)
    .on('error', () => undefined)
    .end(args.map((argument) => `${argument}\0`).join(''));
}
