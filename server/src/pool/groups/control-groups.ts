import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionLimits } from '../../platform/session-limits.js';
import { freezerOf } from './freezer.js';
import {
  attempt,
  CONTROLLERS,
  makeGroup,
  wordsIn,
  write,
  type Controller,
  type GroupPart,
  type Hierarchy,
} from './group-files.js';
import { ownHierarchy, ownUnified, thisKernel, type Kernel } from './hierarchies.js';
import { SessionGroup } from './session-group.js';

/**
 * Names of this service's groups. They contain the service's process id, so that a later process recognizes
 * abandoned groups.
 */
const OURS = /^cloud-browser-(\d+)-/;

/** Mechanism that enforces each limit, for the log. */
export type Walls = Record<'memory' | 'processes' | 'processor' | 'disk' | 'descriptors', string>;

/**
 * Control groups (cgroups) for sessions. Uses version 2 of a controller if possible, otherwise version 1.
 * Makes subgroups only in the topmost visible group, in a group that belongs to the service's user (not
 * root), or in a group that contains only this service. So groups that other programs manage, such as the
 * group of a login, stay unchanged.
 */
export class ControlGroups {
  #count = 0;

  private constructor(
    private readonly pid: number,
    private readonly limits: SessionLimits,
    /** The usable controllers, with their hierarchies. */
    readonly hierarchies: ReadonlyMap<Controller, Hierarchy>,
    /** Directory in the hierarchy of version 2 for groups that the kernel can freeze. */
    private readonly unified: string | undefined,
  ) {}

  /** Finds the usable controllers, and removes groups of services that are gone. */
  static open(limits: SessionLimits, kernel: Kernel = thisKernel()): ControlGroups {
    const hierarchies = new Map<Controller, Hierarchy>();
    for (const controller of CONTROLLERS) {
      const found = ownHierarchy(controller, kernel);
      if (!found) continue;
      sweep(found.directory, kernel);
      if (canUse(controller, found, limits, kernel)) hierarchies.set(controller, found);
    }
    const unified = ownUnified(kernel);
    if (unified !== undefined) sweep(unified, kernel);
    return new ControlGroups(kernel.pid, limits, hierarchies, unified);
  }

  /**
   * Makes a group for one session. If the kernel refuses the limit of a controller, the session's host
   * enforces that limit.
   */
  create(): SessionGroup {
    const name = `cloud-browser-${this.pid}-${++this.#count}`;
    const parts = new Map<Controller, GroupPart>();
    for (const [controller, hierarchy] of this.hierarchies) {
      const path = join(hierarchy.directory, name);
      attempt(() => {
        makeGroup(path, controller, hierarchy, this.limits);
        parts.set(controller, { path, version: hierarchy.version });
      });
    }
    const { unified } = this;
    let freezable: string | undefined;
    attempt(() => {
      if (unified === undefined) return;
      mkdirSync(join(unified, name), { recursive: true });
      freezable = join(unified, name);
    });
    return new SessionGroup(parts, this.limits.cpuWeight, freezable);
  }

  /** Mechanism that enforces each limit, for the log. */
  get walls(): Walls {
    const group = (controller: Controller, otherwise: string) => {
      const version = this.hierarchies.get(controller)?.version;
      return version === undefined ? otherwise : `cgroup v${version}`;
    };
    return {
      memory: group('memory', 'checked by the session hosts'),
      processes: group('pids', 'checked by the session hosts'),
      processor: group('cpu', 'priorities'),
      disk: 'checked by the session hosts',
      descriptors: 'rlimit',
    };
  }
}

/**
 * True if this service can create a group with the controller's limit in the hierarchy. In version 2, a group
 * whose subgroups have limits must not itself contain a process. So this service moves to a subgroup if
 * necessary.
 */
function canUse(
  controller: Controller,
  hierarchy: Hierarchy,
  limits: SessionLimits,
  { pid }: Kernel,
): boolean {
  const { directory, version } = hierarchy;
  const trial = join(directory, `cloud-browser-${pid}-trial`);
  try {
    if (version === 2 && !wordsIn(directory, 'cgroup.subtree_control').includes(controller)) {
      try {
        write(directory, 'cgroup.subtree_control', `+${controller}`);
      } catch {
        const service = join(directory, `cloud-browser-${pid}-service`);
        mkdirSync(service, { recursive: true });
        write(service, 'cgroup.procs', pid);
        write(directory, 'cgroup.subtree_control', `+${controller}`);
      }
    }
    makeGroup(trial, controller, hierarchy, limits);
    return true;
  } catch {
    return false;
  } finally {
    attempt(() => rmdirSync(trial));
  }
}

function sweep(directory: string, kernel: Kernel): void {
  attempt(() => {
    for (const name of readdirSync(directory)) {
      const owner = Number(OURS.exec(name)?.[1]);
      // A group that still contains a process stays, because the kernel refuses to remove it.
      if (!(owner > 0) || kernel.isAlive(owner)) continue;
      attempt(() => rmdirSync(freezerOf(join(directory, name))));
      attempt(() => rmdirSync(join(directory, name)));
    }
  });
}
