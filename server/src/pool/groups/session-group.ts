import { rmdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { attempt, killsOf, write, writeWeight, type Controller } from './group-files.js';

/** A session that computes without a pause has this share of what it has otherwise. */
const BUSY_SHARE = 0.1;
/** The kernel lets go of ended processes a moment later. */
const REMOVE_TRIES = 60;
const REMOVE_INTERVAL_MS = 50;

/** One group of a session. */
export interface GroupPart {
  path: string;
  version: 1 | 2;
}

/** The control groups of one session, by what they hold it to; none where there are no such groups. */
export class SessionGroup {
  constructor(
    private readonly parts: ReadonlyMap<Controller, GroupPart>,
    private readonly cpuWeight: number,
  ) {}

  /** Whether it decides about the session's share of the processor. */
  get sharesProcessor(): boolean {
    return this.parts.has('cpu');
  }

  /** The kernel has ended a process of the session because there was no memory left for it. */
  get ranOutOfMemory(): boolean {
    const memory = this.parts.get('memory');
    return memory !== undefined && killsOf(memory.path, memory.version) > 0;
  }

  /** Takes in a process; all that it starts from now on belongs to the group. */
  add(pid: number): void {
    for (const { path } of this.distinct()) attempt(() => write(path, 'cgroup.procs', pid));
  }

  /** Gives a session that computes without a pause a smaller share, or its usual one again. */
  setBusy(busy: boolean): void {
    const cpu = this.parts.get('cpu');
    const weight = this.cpuWeight * (busy ? BUSY_SHARE : 1);
    if (cpu) attempt(() => writeWeight(cpu.path, cpu.version, weight));
  }

  /** Removes the groups when nothing runs in them any more; what stays is removed by a later service. */
  async remove(): Promise<void> {
    await Promise.all(this.distinct().map(({ path }) => removeGroup(path)));
  }

  /** In version 2 one directory has all controllers. */
  private distinct(): GroupPart[] {
    return [...new Map([...this.parts.values()].map((part) => [part.path, part])).values()];
  }
}

async function removeGroup(path: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    try {
      await rmdir(path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return;
    }
    await delay(REMOVE_INTERVAL_MS);
  }
}
