import { rmdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { freezerOf, openFreezer } from './freezer.js';
import { attempt, killsOf, write, writeWeight, type Controller, type GroupPart } from './group-files.js';
import { MemoryReclaim } from './memory-reclaim.js';

/**
 * Share of the processor that a session gets when processes compete for it.
 * - `usual`: the full share, for a session in use.
 * - `busy`: the session uses the processor without a pause.
 * - `waiting`: the browser was started in advance. No client has requested its session yet.
 */
export type ProcessorShareName = 'usual' | 'busy' | 'waiting';

/**
 * Factors for the processor weight of the session's control group. A browser that starts in advance uses a
 * whole core for about a second. With 2 % of the weight, it mostly gets processor time that no session with
 * viewers needs.
 */
const SHARES: Record<ProcessorShareName, number> = { usual: 1, busy: 0.1, waiting: 0.02 };
/** Maximum number of attempts to remove a group. The kernel releases ended processes only after a moment. */
const REMOVE_TRIES = 60;
const REMOVE_INTERVAL_MS = 50;

/**
 * The control groups of one session, by controller. There are none if the service cannot use control groups.
 */
export class SessionGroup {
  readonly #reclaim: MemoryReclaim | undefined;

  /**
   * @param freezable directory of the session's control group of version 2, which the kernel can freeze
   *   without a controller. Absent if the machine has no such groups
   */
  constructor(
    private readonly parts: ReadonlyMap<Controller, GroupPart>,
    private readonly cpuWeight: number,
    private readonly freezable?: string,
  ) {
    const memory = parts.get('memory');
    this.#reclaim = memory && new MemoryReclaim(memory);
  }

  /** True if the group controls the session's share of the processor. */
  get sharesProcessor(): boolean {
    return this.parts.has('cpu');
  }

  /** True if the kernel killed a process of the session because its group had no memory left. */
  get ranOutOfMemory(): boolean {
    const memory = this.parts.get('memory');
    return memory !== undefined && killsOf(memory.path, memory.version) > 0;
  }

  /** Adds a process. All processes that it starts from now on belong to the group. */
  add(pid: number): void {
    for (const path of this.distinct()) attempt(() => write(path, 'cgroup.procs', pid));
  }

  /**
   * Sets the session's share of the processor. Does nothing if the session has no group for the processor.
   */
  setShare(share: ProcessorShareName): void {
    const cpu = this.parts.get('cpu');
    const weight = this.cpuWeight * SHARES[share];
    if (cpu) attempt(() => writeWeight(cpu.path, cpu.version, weight));
  }

  /**
   * Removes the groups as soon as all processes in them have ended. If this takes longer than three seconds,
   * the next process of the service removes the groups.
   */
  async remove(): Promise<void> {
    this.#reclaim?.end();
    if (this.freezable !== undefined) await removeGroup(freezerOf(this.freezable));
    await Promise.all(this.distinct().map((path) => removeGroup(path)));
  }

  /**
   * Moves all programs of the session to a subgroup that its host can freeze, see {@link openFreezer}.
   *
   * @param host process of the session's host, which is never frozen
   * @param owner user id of the host, if it is not the service's own
   */
  async openFreezer(host: number, owner: number | undefined): Promise<string | undefined> {
    return this.freezable === undefined ? undefined : openFreezer(this.freezable, host, owner);
  }

  /**
   * If `standby` is true, starts to move the memory of the frozen session to the machine's swap. If false,
   * stops moving memory, because the session continues.
   */
  standBy(standby: boolean): void {
    if (standby) this.#reclaim?.begin();
    else this.#reclaim?.end();
  }

  /** Directories of the groups. In version 2 one directory has all controllers. */
  private distinct(): string[] {
    const paths = [...this.parts.values()].map(({ path }) => path);
    return [...new Set(this.freezable === undefined ? paths : [...paths, this.freezable])];
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
