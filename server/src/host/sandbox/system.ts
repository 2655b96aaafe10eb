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
/** On a system with a merged /usr these are links into it; elsewhere they are directories. */
const LINKS = ['/bin', '/lib', '/lib64', '/sbin'];

/** Files here are memory. What a browser shares between its processes is in `/dev/shm`: it breaks where there is no room for a picture. */
const SHARED_BYTES = 2 ** 30;
const TEMPORARY_BYTES = 2 ** 28;

/** An empty directory in memory. */
function temporary(path: string, bytes: number): string[] {
  return ['--size', String(bytes), '--tmpfs', path];
}

/**
 * The beginning of every bubblewrap command line of a session: user, process and host-name namespaces of its own, no terminal,
 * this environment alone, a read-only system, and nothing in /tmp, /home and /run.
 *
 * @param filter the descriptor that the filter of system calls is read from; see `giveFilter`
 */
export function systemArgs(environment: Readonly<Record<string, string>>, filter: number): string[] {
  const args = [
    ...['--seccomp', String(filter)],
    ...['--unshare-user', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--hostname', 'browser', '--die-with-parent', '--new-session', '--clearenv'],
    ...['--proc', '/proc', '--dev', '/dev', ...temporary('/dev/shm', SHARED_BYTES), '--remount-ro', '/dev'],
    ...['/tmp', '/run', '/home'].flatMap((path) => temporary(path, TEMPORARY_BYTES)),
  ];
  for (const [name, value] of Object.entries(environment)) args.push('--setenv', name, value);
  for (const path of SYSTEM) args.push('--ro-bind-try', path, path);
  for (const path of LINKS) args.push(...linkOrBind(path));
  return args;
}

function linkOrBind(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    return ['--symlink', readlinkSync(path), path];
  } catch {
    return ['--ro-bind', path, path];
  }
}
