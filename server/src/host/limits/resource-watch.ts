import type { Clock, Timer } from '../../platform/clock.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import { DiskWatch, type Disk } from './disk-watch.js';
import { LimitKeeper, type Resource } from './limit-keeper.js';
import { SessionProcesses, type ProcessUse } from './session-processes.js';

/** Between two looks at a session. */
export const LOOK_INTERVAL_MS = 1_000;
/** The same of one that uses more than half of its memory: pages can take a gigabyte in a second. */
export const CLOSE_LOOK_INTERVAL_MS = 200;

/** What the rest of the host wants to know of what its session uses. */
export interface UseListener {
  /** A page was ended, since all together used too much. */
  onPageEnded(resource: Resource): void;
  /** The session uses too much, whatever is ended. Told once. */
  onExceeded(resource: Resource): void;
  /** What the processes use, at each look. */
  onLook(uses: readonly ProcessUse[]): void;
}

/** What is watched, and how. */
export interface ResourceWatchParts {
  limits: Pick<SessionLimits, 'memoryBytes' | 'processes' | 'diskBytes'>;
  /** Everything that the session has on the disk. */
  directory: string;
  clock: Clock;
  listener: UseListener;
  processes?: Pick<SessionProcesses, 'look' | 'runsPages'>;
  disk?: Disk;
  kill?: (pid: number) => void;
}

/**
 * Holds a session to its memory, processes and disk, wherever the kernel does not: by looking at what its programs use, this host
 * included, once a second. The host looks itself, since it may look at no other session's programs, and no other at its.
 */
export class ResourceWatch {
  readonly #processes: Pick<SessionProcesses, 'look' | 'runsPages'>;
  readonly #keeper: LimitKeeper;
  readonly #disk: DiskWatch;
  #timer: Timer | undefined;
  #stopped = false;

  private constructor(private readonly parts: ResourceWatchParts) {
    const { limits, clock, directory } = parts;
    this.#processes = parts.processes ?? new SessionProcesses(process.pid);
    this.#keeper = new LimitKeeper(limits, (pid) => this.#processes.runsPages(pid));
    this.#disk = new DiskWatch(directory, limits.diskBytes, clock, () => this.#exceeded('disk'), parts.disk);
  }

  static start(parts: ResourceWatchParts): ResourceWatch {
    const watch = new ResourceWatch(parts);
    watch.#lookAfter(LOOK_INTERVAL_MS);
    return watch;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #lookAfter(milliseconds: number): void {
    if (!this.#stopped) this.#timer = this.parts.clock.setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    const { clock, limits, listener } = this.parts;
    const uses = this.#processes.look();
    const verdict = this.#keeper.judge(uses, clock.now());
    if (verdict.do === 'end-session') return this.#exceeded(verdict.resource);
    if (verdict.do === 'end-page') {
      (this.parts.kill ?? kill)(verdict.pid);
      listener.onPageEnded(verdict.resource);
    }
    listener.onLook(uses);
    this.#disk.look();
    const memory = uses.reduce((sum, use) => sum + use.memoryBytes, 0);
    this.#lookAfter(memory > limits.memoryBytes / 2 ? CLOSE_LOOK_INTERVAL_MS : LOOK_INTERVAL_MS);
  }

  #exceeded(resource: Resource): void {
    if (this.#stopped) return;
    this.stop();
    this.parts.listener.onExceeded(resource);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
