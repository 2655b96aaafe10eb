import type { Clock } from '../../platform/time/clock.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import { DiskWatch, type Disk } from './disk-watch.js';
import { LimitKeeper, type Resource } from './limit-keeper.js';
import { SessionProcesses, type ProcessUse } from './session-processes.js';

/** Interval between two checks of a session. Milliseconds. */
export const LOOK_INTERVAL_MS = 1_000;
/**
 * Interval for a session that uses more than half of its memory limit. Milliseconds. It is short because
 * pages can allocate a gigabyte in a second.
 */
export const CLOSE_LOOK_INTERVAL_MS = 200;

/** Receiver of events about the session's use of resources. */
export interface UseListener {
  /** Called when a page was ended because the session used too much. */
  onPageEnded(resource: Resource): void;
  /** Called once when the session uses too much and ending pages does not help. */
  onExceeded(resource: Resource): void;
  /** Called at each check with the use of each process. */
  onLook(uses: readonly ProcessUse[]): void;
}

/** Dependencies and limits of a {@link ResourceWatch}. */
export interface ResourceWatchParts {
  limits: Pick<SessionLimits, 'memoryBytes' | 'processes' | 'diskBytes'>;
  /** Directory with all files of the session. */
  directory: string;
  clock: Clock;
  listener: UseListener;
  processes?: Pick<SessionProcesses, 'look' | 'runsPages'>;
  disk?: Disk;
  kill?: (pid: number) => void;
}

/**
 * Enforces a session's limits for memory, processes and disk. The kernel's own limits are higher. Once a
 * second, this class checks the use of the session's programs, including this host. Each host checks its own
 * session, because hosts may not read the processes of other sessions.
 */
export class ResourceWatch {
  readonly #processes: Pick<SessionProcesses, 'look' | 'runsPages'>;
  readonly #keeper: LimitKeeper;
  readonly #disk: DiskWatch;
  readonly #looks: Repetition;
  #stopped = false;
  /** True if the next check does not measure the disk. */
  #omitsDisk = false;

  private constructor(private readonly parts: ResourceWatchParts) {
    const { limits, clock, directory } = parts;
    this.#processes = parts.processes ?? new SessionProcesses(process.pid);
    this.#keeper = new LimitKeeper(limits, (pid) => this.#processes.runsPages(pid));
    this.#disk = new DiskWatch(directory, limits.diskBytes, clock, () => this.#exceeded('disk'), parts.disk);
    this.#looks = repeat(clock, { every: LOOK_INTERVAL_MS }, () => this.#look());
  }

  static start(parts: ResourceWatchParts): ResourceWatch {
    return new ResourceWatch(parts);
  }

  stop(): void {
    this.#stopped = true;
    this.#looks.stop();
  }

  /**
   * Checks the processes at once, so that processes that have just started are known. The end of an unknown
   * process is not noticed. Measures the disk only at the next check, because a measurement takes 10 ms and
   * the first picture is not shown yet.
   */
  lookSoon(): void {
    this.#omitsDisk = true;
    this.#looks.runIn(0);
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
    if (!this.#omitsDisk) this.#disk.look(uses.map(({ pid }) => pid));
    this.#omitsDisk = false;
    const memory = uses.reduce((sum, use) => sum + use.memoryBytes, 0);
    if (memory > limits.memoryBytes / 2) this.#looks.runIn(CLOSE_LOOK_INTERVAL_MS);
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
    // The process has ended meanwhile.
  }
}
