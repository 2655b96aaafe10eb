import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { processes, stillAlive, type ProcessInfo } from '../e2e/support/processes.js';
import { patient } from '../support/limits.js';
import { until } from '../walk/deadline.js';
import type { Party } from './scene.js';
import type { RealService } from './support/real-service.js';

/** Killed processes need a moment to disappear. */
const LIMIT_MS = patient(10_000);

/** Everything that one session holds on the machine. */
export class Traces {
  private constructor(
    private readonly service: RealService,
    private readonly party: Party,
    /** Its processes when it was struck: without users of their own sessions are known by nothing else. */
    private readonly family: readonly ProcessInfo[],
    private readonly directory: string,
  ) {}

  static of(service: RealService, party: Party): Traces {
    return new Traces(service, party, party.processes, service.seen(party.place.directory));
  }

  /**
   * Resolves to what is there of the session, which should be nothing; waits until that is so, or as long as
   * an end may take.
   */
  async left(limitMs = LIMIT_MS): Promise<string[]> {
    await until('nothing is left', limitMs, () => this.#left().length === 0).catch(() => undefined);
    return this.#left();
  }

  #left(): string[] {
    const { uid } = this.party.place;
    const alive = stillAlive(this.family);
    const ofUser = uid === undefined ? [] : processes().filter((each) => each.uid === uid);
    const running = new Map([...alive, ...ofUser].map(({ pid, command }) => [pid, command.slice(0, 60)]));
    const locks = locksOf(this.service.pid);
    return [
      ...[...running].map(([pid, command]) => `process ${pid} ${command}`),
      ...(existsSync(this.directory) ? [this.directory] : []),
      ...locks.filter((lock) => lock.endsWith(`/${uid}`)),
    ];
  }
}

/** The locks of places and users that a process holds: files that it has open. */
export function locksOf(pid: number): string[] {
  return descriptorsOf(pid).filter((path) => /\/(user-ids|locks)\/\d+$/.test(path));
}

/** Where the descriptors of a process lead; none when it is gone. */
export function descriptorsOf(pid: number): string[] {
  const found: string[] = [];
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
      try {
        found.push(readlinkSync(`/proc/${pid}/fd/${name}`));
      } catch {
        // It was closed while we looked.
      }
    }
  } catch {
    // The process is gone.
  }
  return found;
}
