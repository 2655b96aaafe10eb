import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { wordsIn, type Controller, type Hierarchy } from './group-files.js';

/** Information from the kernel about control groups and this process. Tests pass their own values. */
export interface Kernel {
  /** Content of `/proc/self/cgroup` and `/proc/self/mountinfo`, see proc(5). */
  cgroup: string;
  mounts: string;
  pid: number;
  uid: number;
  isAlive(pid: number): boolean;
}

/**
 * Returns the group of this process in the hierarchy of a controller. Undefined if this service may not make
 * groups in it.
 */
export function ownHierarchy(controller: Controller, kernel: Kernel): Hierarchy | undefined {
  for (const version of [2, 1] as const) {
    const directory = ownDirectory(version, controller, kernel);
    if (directory === undefined) continue;
    if (version === 2 && !wordsIn(directory, 'cgroup.controllers').includes(controller)) continue;
    if (isOurs(directory, version, controller, kernel)) return { version, directory };
  }
  return undefined;
}

/**
 * Returns the group of this process in the hierarchy of version 2. Undefined if this service may not make
 * groups in it. The kernel can freeze every group of version 2, also one without a controller.
 */
export function ownUnified(kernel: Kernel): string | undefined {
  const directory = ownDirectory(2, undefined, kernel);
  return directory !== undefined && isOurs(directory, 2, undefined, kernel) ? directory : undefined;
}

function ownDirectory(
  version: 1 | 2,
  controller: Controller | undefined,
  kernel: Kernel,
): string | undefined {
  const path = ownPath(version, controller, kernel);
  if (path === undefined) return undefined;
  for (const line of kernel.mounts.split('\n')) {
    const [, , , root = '', mount = ''] = line.split(' ');
    const [type, , options = ''] = line.split(' - ')[1]?.split(' ') ?? [];
    const matches =
      version === 2 ? type === 'cgroup2' : type === 'cgroup' && names(options.split(','), controller);
    // A container may see only a part of the hierarchy, mounted from a group below the root.
    const below = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) : path;
    if (matches) return join(mount, below);
  }
  return undefined;
}

function names(controllers: readonly string[], controller: Controller | undefined): boolean {
  return controller !== undefined && controllers.includes(controller);
}

function ownPath(version: 1 | 2, controller: Controller | undefined, { cgroup }: Kernel): string | undefined {
  for (const line of cgroup.split('\n')) {
    const [, id, controllers = '', path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (version === 2 ? id === '0' : names(controllers.split(','), controller)) return path;
  }
  return undefined;
}

function isOurs(
  directory: string,
  version: 1 | 2,
  controller: Controller | undefined,
  kernel: Kernel,
): boolean {
  try {
    accessSync(directory, constants.W_OK);
    if (ownPath(version, controller, kernel) === '/') return true;
    if (kernel.uid !== 0 && statSync(directory).uid === kernel.uid) return true;
    return wordsIn(directory, 'cgroup.procs').join() === `${kernel.pid}`;
  } catch {
    return false;
  }
}

/** Returns the information of the kernel of this machine. */
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
