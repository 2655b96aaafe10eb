import { existsSync, readlinkSync } from 'node:fs';

const SYSTEM = [
  '/usr',
  '/etc/fonts',
  '/etc/ssl',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/var/cache/fontconfig',
];
/** Directories below `/usr` that are not part of Debian. */
const HIDDEN = ['/usr/local'];
/** Links into /usr on a system with a merged /usr. On other systems they are directories. */
const LINKS = ['/bin', '/lib', '/lib64', '/sbin'];

/** Maximum bytes of `/dev/shm`, and of each other file system in memory. */
const SHARED_BYTES = 2 ** 30;
const TEMPORARY_BYTES = 2 ** 28;

/** Returns the arguments for an empty directory in memory. */
function temporary(path: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', path];
}

/**
 * Returns the first arguments of every bubblewrap command line of a session: user, process and host-name
 * namespaces, no terminal, and only this environment.
 *
 * @param filter the descriptor of the system-call filter, see `giveFilter`
 * @param shared arguments that make `/dev/shm`
 */
export function namespaceArgs(
  environment: Readonly<Record<string, string>>,
  filter: number,
  shared: readonly string[],
): string[] {
  const args = [
    ...['--seccomp', String(filter)],
    ...['--unshare-user', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--hostname', 'browser', '--die-with-parent', '--new-session', '--clearenv'],
    ...['--proc', '/proc', '--dev', '/dev', ...shared, '--remount-ro', '/dev'],
  ];
  for (const [name, value] of Object.entries(environment)) args.push('--setenv', name, value);
  return args;
}

/**
 * Returns the first arguments of a bubblewrap command line for a system program, such as the X server: the
 * arguments of {@link namespaceArgs}, and mounts. The program sees a read-only system without locally
 * installed files. Its directories /tmp, /home and /run are empty.
 */
export function systemArgs(environment: Readonly<Record<string, string>>, filter: number): string[] {
  const args = [
    ...namespaceArgs(environment, filter, temporary('/dev/shm', SHARED_BYTES)),
    ...['/tmp', '/run', '/home'].flatMap((path) => temporary(path, TEMPORARY_BYTES)),
  ];
  for (const path of SYSTEM) args.push('--ro-bind-try', path, path);
  for (const path of HIDDEN) if (existsSync(path)) args.push('--tmpfs', path, '--remount-ro', path);
  return [...args, ...systemLinks()];
}

/**
 * Returns the arguments that make the directories outside `/usr`, such as `/bin`, available. On a system with
 * a merged `/usr`, they become links.
 */
export function systemLinks(): string[] {
  return LINKS.flatMap(linkOrBind);
}

function linkOrBind(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    return ['--symlink', readlinkSync(path), path];
  } catch {
    return ['--ro-bind', path, path];
  }
}
