import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { X_SOCKETS } from './helper-room.js';
import { systemArgs } from './system.js';

/** What the browser sees of its session, besides a read-only system. */
export interface BrowserRoom {
  /** Writable home and profile, on the host's file system. */
  home: string;
  /** Directory of Chromium policy files, this session's own. */
  policies: string;
  /** The directory of the display's socket, and its cookie; absent for a browser without one. */
  display?: { sockets: string; authorityFile: string };
  /** Directory of the socket that sound is played to; absent for a browser without sound. */
  sound?: string;
  /** The process that starts the sandbox has an IPC namespace that no other session shares. */
  sharesIpc: boolean;
  /** More directories, read-only: path inside to source outside. */
  readOnly?: Readonly<Record<string, string>>;
  /** Files that are all there is in their directories: path inside to source outside. */
  replaced?: Readonly<Record<string, string>>;
}

/** The descriptor of the browser's filter of system calls, behind those of its CDP pipe. */
export const BROWSER_FILTER = 5;
/** Where the session's home is inside the sandbox. */
export const INNER_HOME = '/home/browser';
/** Where the display's cookie is inside the sandbox. */
export const INNER_AUTHORITY = '/run/session/authority';
/** Where {@link BrowserRoom.sound} is inside the sandbox. */
export const INNER_SOUND = '/run/session/sound';

/**
 * Directories of programs. The browser needs none: for an address such as `mailto:` it would start xdg-open, which opens other
 * browsers, and whoever broke out of it would find shells and compilers.
 */
const PROGRAMS = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/games',
  '/usr/libexec',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/bin',
  '/sbin',
];
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/gai.conf'];

/**
 * The bubblewrap command line around Chromium: user, process and host-name namespaces of its own, an empty /tmp, /home and
 * /run, a read-only system without programs, this session's policies, and this session's sockets for display and sound. Descriptors 3 and 4,
 * the CDP pipe, pass through. Chromium's own sandbox works inside and is not weakened by it.
 */
export function bubblewrapArgs(
  room: BrowserRoom,
  environment: Record<string, string>,
  command: readonly string[],
): string[] {
  const args = [
    ...systemArgs(environment, BROWSER_FILTER),
    // As root the whole session has an IPC namespace to itself, display included, and shares memory with it. Otherwise
    // sessions run as the same user, and only this keeps their memory apart; frames then go over the X socket.
    ...(room.sharesIpc ? [] : ['--unshare-ipc']),
  ];
  for (const path of PROGRAMS.filter(isDirectory)) args.push('--tmpfs', path, '--remount-ro', path);
  for (const path of NETWORK) args.push('--ro-bind-try', path, path);
  args.push('--ro-bind', room.policies, '/etc/chromium/policies/managed');
  args.push('--bind', room.home, INNER_HOME, '--chdir', INNER_HOME);
  if (room.display) {
    args.push('--ro-bind', room.display.sockets, X_SOCKETS);
    args.push('--ro-bind', room.display.authorityFile, INNER_AUTHORITY);
  }
  // The directory instead of the socket in it: a sound server that is started again makes another socket.
  if (room.sound) args.push('--ro-bind', room.sound, INNER_SOUND);
  for (const [path, source] of Object.entries(room.readOnly ?? {})) args.push('--ro-bind', source, path);
  const replaced = Object.entries(room.replaced ?? {});
  for (const directory of new Set(replaced.map(([path]) => dirname(path)))) args.push('--tmpfs', directory);
  for (const [path, source] of replaced) args.push('--ro-bind', source, path);
  // Last, when all places for the mounts above are made.
  return [...args, '--remount-ro', '/', '--', ...command];
}

/** A link into /usr is none of its own. */
function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
