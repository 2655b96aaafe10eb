import { rmdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { attempt, killsOf, write, writeWeight, type Controller } from './group-files.js';

/** Factor for the weight of a session that uses the processor without a pause. */
const BUSY_SHARE = 0.1;
/** Retries of a removal: the kernel releases ended processes only after a moment. */
const REMOVE_TRIES = 60;
const REMOVE_INTERVAL_MS = 50;

/** A control group that was made for a session. */
export interface MadeGroup {
  path: string;
  /** The controllers that limit the session. */
  controllers: ReadonlySet<Controller>;
}

/** Control group of one session. */
export class SessionGroup {
  /** @param made the group; undefined if there are no control groups */
  constructor(
    private readonly made: MadeGroup | undefined,
    private readonly cpuWeight: number,
  ) {}

  /** True if the group controls the session's share of the processor. */
  get sharesProcessor(): boolean {
    return this.#pathWith('cpu') !== undefined;
  }

  /** True if the kernel killed a process of the session because it had no memory left. */
  get ranOutOfMemory(): boolean {
    const path = this.#pathWith('memory');
    return path !== undefined && killsOf(path) > 0;
  }

  /** Adds a process. All processes that it starts from now on belong to the group. */
  add(pid: number): void {
    const { made } = this;
    if (made) attempt(() => write(made.path, 'cgroup.procs', pid));
  }

  /**
   * Gives a smaller share to a session that uses the processor without a pause, or restores its usual share.
   */
  setBusy(busy: boolean): void {
    const path = this.#pathWith('cpu');
    const weight = this.cpuWeight * (busy ? BUSY_SHARE : 1);
    if (path !== undefined) attempt(() => writeWeight(path, weight));
  }

  /** Removes the group when nothing runs in it any more. A later service removes a group that remains. */
  async remove(): Promise<void> {
    if (!this.made) return;
    for (let tries = 0; tries < REMOVE_TRIES; tries++) {
      try {
        await rmdir(this.made.path);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return;
      }
      await delay(REMOVE_INTERVAL_MS);
    }
  }

  /** Returns the group's path if it has a controller. */
  #pathWith(controller: Controller): string | undefined {
    return this.made?.controllers.has(controller) ? this.made.path : undefined;
  }
}
