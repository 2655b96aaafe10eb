import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { wordsIn } from './group-files.js';

/** Information of the kernel about groups and this process. Tests use another one. */
export interface Kernel {
  /** Content of `/proc/self/cgroup` and `/proc/self/mountinfo`, see proc(5). */
  cgroup: string;
  mounts: string;
  pid: number;
  uid: number;
  isAlive(pid: number): boolean;
}

/**
 * Returns the directory of the group of this process. Undefined if this service may not divide the group, or
 * if the kernel has no groups of version 2.
 */
export function ownGroup(kernel: Kernel): string | undefined {
  const path = ownPath(kernel);
  if (path === undefined) return undefined;
  for (const line of kernel.mounts.split('\n')) {
    const [, , , root = '', mount = ''] = line.split(' ');
    const [type] = line.split(' - ')[1]?.split(' ') ?? [];
    if (type !== 'cgroup2') continue;
    // A container may see only a part of the groups, which begins at a lower group.
    const below = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) : path;
    const directory = join(mount, below);
    return isOurs(directory, path, kernel) ? directory : undefined;
  }
  return undefined;
}

function ownPath({ cgroup }: Kernel): string | undefined {
  // Entries with other numbers belong to version 1.
  return /^0::(.*)$/m.exec(cgroup)?.[1];
}

function isOurs(directory: string, path: string, { pid, uid }: Kernel): boolean {
  try {
    accessSync(directory, constants.W_OK);
    if (path === '/') return true;
    if (uid !== 0 && statSync(directory).uid === uid) return true;
    return wordsIn(directory, 'cgroup.procs').join() === `${pid}`;
  } catch {
    return false;
  }
}

/** Returns the kernel of this machine. */
export function thisKernel(): Kernel {
  const read = (name: string) => {
    try {
      return readFileSync(`/proc/self/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  return {
    cgroup: read('cgroup'),
    mounts: read('mountinfo'),
    pid: process.pid,
    uid: process.getuid?.() ?? -1,
    isAlive: (pid) => existsSync(`/proc/${pid}`),
  };
}
