import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { processes, stillAlive, type ProcessInfo } from '../e2e/support/processes.js';
import { patient } from '../support/limits.js';
import { until } from '../walk/deadline.js';
import type { Party } from './scene.js';
import type { BuiltService } from '../support/built-service.js';

/** Killed processes need a moment to disappear. */
const LIMIT_MS = patient(10_000);

/** All resources of one session on the machine. */
export class Traces {
  private constructor(
    private readonly service: BuiltService,
    private readonly party: Party,
    /** Its processes at the time of the fault. Without separate users, only these identify a session. */
    private readonly family: readonly ProcessInfo[],
    private readonly directory: string,
  ) {}

  static of(service: BuiltService, party: Party): Traces {
    return new Traces(service, party, party.processes, service.seen(party.place.directory));
  }

  /**
   * Resolves to the remains of the session, which should be none. Waits until nothing is left, or until the
   * time limit of an end.
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

/** Targets of the descriptors of a process. Empty after the process has ended. */
export function descriptorsOf(pid: number): string[] {
  const found: string[] = [];
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
      try {
        found.push(readlinkSync(`/proc/${pid}/fd/${name}`));
      } catch {
        // The descriptor was closed in the meantime.
      }
    }
  } catch {
    // The process is gone.
  }
  return found;
}
