import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { processes, stillAlive, type ProcessInfo } from '../e2e/support/processes.js';
import { until } from '../walk/deadline.js';
import type { Party } from './scene.js';
import type { RealService } from './support/real-service.js';

/** What is killed needs a moment to be gone. */
const LIMIT_MS = 10_000;

/** What one session holds on the machine. */
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

  /** Resolves to what is there of the session, which should be nothing; waits until that is so, or as long as an end may take. */
  async left(): Promise<string[]> {
    await until('nothing is left', LIMIT_MS, () => this.#left().length === 0).catch(() => undefined);
    return this.#left();
  }

  #left(): string[] {
    const { uid, display } = this.party.place;
    const alive = stillAlive(this.family);
    const ofUser = uid === undefined ? [] : processes().filter((each) => each.uid === uid);
    const running = new Map([...alive, ...ofUser].map(({ pid, command }) => [pid, command.slice(0, 60)]));
    const locks = locksOf(this.service.pid);
    return [
      ...[...running].map(([pid, command]) => `process ${pid} ${command}`),
      ...(existsSync(this.directory) ? [this.directory] : []),
      ...displayFiles(display).filter((file) => uid !== undefined && ownerOf(file) === uid),
      ...[`display/${display}`, `uid/${uid}`].filter((name) => locks.includes(name)),
    ];
  }
}

/** The files that an X server of this number has. */
export function displayFiles(display: number): string[] {
  return [`/tmp/.X${display}-lock`, `/tmp/.X11-unix/X${display}`, `/tmp/server-${display}.xkm`];
}

/** The machine-wide locks that a process holds, by name; they are listening sockets in the abstract namespace. */
export function locksOf(pid: number): string[] {
  const inodes = new Set(socketsOf(pid));
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => inodes.has(fields[6] ?? ''))
    .map((fields) => /^@cloud-browser\/(.+?)@*$/.exec(fields[7] ?? '')?.[1])
    .filter((name) => name !== undefined);
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

function socketsOf(pid: number): string[] {
  return descriptorsOf(pid)
    .map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1])
    .filter((inode) => inode !== undefined);
}

function ownerOf(file: string): number | undefined {
  try {
    return statSync(file).uid;
  } catch {
    return undefined;
  }
}
