import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionLimits } from '../../platform/session-limits.js';
import { attempt, CONTROLLERS, makeGroup, wordsIn, write, type Controller } from './group-files.js';
import { ownGroup, thisKernel, type Kernel } from './own-group.js';
import { SessionGroup } from './session-group.js';

/**
 * Names of this service's groups. They contain the service's process id, so that a later service can
 * recognize abandoned groups.
 */
const OURS = /^cloud-browser-(\d+)-/;

/** Mechanism that enforces each limit, for the log. */
export type Walls = Record<'memory' | 'processes' | 'processor' | 'disk' | 'descriptors', string>;

/**
 * Control groups for sessions, of version 2. Uses only a group that this service may divide: a group that
 * belongs to the service's user, the topmost visible group, or a group that contains only this service.
 * Groups that others manage, such as a login's, stay unchanged.
 */
export class ControlGroups {
  #count = 0;

  private constructor(
    private readonly pid: number,
    private readonly limits: SessionLimits,
    /** Directory of the group that contains the sessions' groups. Undefined: there is none. */
    readonly directory: string | undefined,
    /** The usable controllers. */
    readonly controllers: ReadonlySet<Controller>,
  ) {}

  /** Finds the usable controllers, and removes groups of services that are gone. */
  static open(limits: SessionLimits, kernel: Kernel = thisKernel()): ControlGroups {
    const controllers = new Set<Controller>();
    const directory = ownGroup(kernel);
    if (directory !== undefined) {
      sweep(directory, kernel);
      const offered = wordsIn(directory, 'cgroup.controllers');
      for (const controller of CONTROLLERS)
        if (offered.includes(controller) && canUse(controller, directory, limits, kernel))
          controllers.add(controller);
    }
    return new ControlGroups(kernel.pid, limits, directory, controllers);
  }

  /**
   * Makes a group for one session. If the kernel refuses a controller, the session's host enforces that
   * limit.
   */
  create(): SessionGroup {
    const { directory, limits } = this;
    if (directory === undefined || this.controllers.size === 0)
      return new SessionGroup(undefined, limits.cpuWeight);
    const path = join(directory, `cloud-browser-${this.pid}-${++this.#count}`);
    const controllers = new Set<Controller>();
    for (const controller of this.controllers) {
      attempt(() => {
        makeGroup(path, controller, limits);
        controllers.add(controller);
      });
    }
    return new SessionGroup({ path, controllers }, limits.cpuWeight);
  }

  /** Mechanism that enforces each limit, for the log. */
  get walls(): Walls {
    const group = (controller: Controller, otherwise: string) =>
      this.controllers.has(controller) ? 'cgroup v2' : otherwise;
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
 * True if a group with the controller's limit can be made here. A divided group may contain no process
 * itself, so this service moves to a subgroup.
 */
function canUse(
  controller: Controller,
  directory: string,
  limits: SessionLimits,
  { pid }: Pick<Kernel, 'pid'>,
): boolean {
  const trial = join(directory, `cloud-browser-${pid}-trial`);
  try {
    if (!wordsIn(directory, 'cgroup.subtree_control').includes(controller)) {
      try {
        write(directory, 'cgroup.subtree_control', `+${controller}`);
      } catch {
        const service = join(directory, `cloud-browser-${pid}-service`);
        mkdirSync(service, { recursive: true });
        write(service, 'cgroup.procs', pid);
        write(directory, 'cgroup.subtree_control', `+${controller}`);
      }
    }
    makeGroup(trial, controller, limits);
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
      // The kernel does not remove a group that contains a process.
      if (owner > 0 && !kernel.isAlive(owner)) attempt(() => rmdirSync(join(directory, name)));
    }
  });
}
