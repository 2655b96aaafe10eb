import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { HostPlace } from '../host-protocol.js';
import type { Clock } from '../platform/time/clock.js';
import { CodedError } from '../platform/coded-error.js';
import { guardedCommand } from '../platform/process/guarded-command.js';
import { Watchdog } from '../platform/process/watchdog.js';
import { ServiceError } from '../service-error.js';

/**
 * Number of checks, two seconds apart, that may find the same step unfinished. A busy disk makes progress
 * within that time. After 30 s without progress the disk counts as hanging.
 */
export const STALLED_LOOKS = 15;
/** Path under which a program finds the directory whose descriptor it inherits. */
export const INHERITED = '/proc/self/fd/3';
/** Length of a program's error output that is kept for the error. */
const OUTPUT_TAIL_CHARS = 500;

/** Thrown if a profile could not be packed or unpacked. */
export class ProfileArchiveError extends CodedError {
  readonly code = 'err_profile_archive';
}

/**
 * Runs a program on a session's files as the session's user, and checks its progress. A program without
 * progress for 30 s is killed. Its total time has no limit. Promises and streams of the program then fail,
 * even if the kernel cannot end it.
 */
export class WatchedTool {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #stalled: Promise<never>;
  readonly #watchdog: Watchdog;
  /** Promise for the program's next step. It is settled while the program has nothing to do. */
  #step: Promise<unknown> = Promise.resolve();

  /** @param descriptor passed to the program as {@link INHERITED} */
  constructor(
    place: Pick<HostPlace, 'uid' | 'gid'>,
    clock: Clock,
    command: string,
    args: readonly string[],
    descriptor?: number,
  ) {
    const [program = '', ...options] = guardedCommand([command, ...args], place);
    this.child = spawn(program, options, {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', descriptor],
    }) as ChildProcessWithoutNullStreams;
    // Readers of a stream get its errors. Without a listener an unhandled error would end the service.
    for (const stream of this.#streams) stream.on('error', () => undefined);
    this.#ended = succeeded(this.child);
    let fail: (error: Error) => void = () => undefined;
    this.#stalled = new Promise((_resolve, reject) => (fail = reject));
    // Prevents unhandled rejections while no caller waits for them.
    for (const promise of [this.#ended, this.#stalled]) promise.catch(() => undefined);
    this.#watchdog = Watchdog.start({
      clock,
      looks: STALLED_LOOKS,
      ask: () => this.#step,
      onHang: (milliseconds) => {
        const seconds = Math.round(milliseconds / 1000);
        const error = new ProfileArchiveError(
          `The profile's files could not be read or written for ${seconds} s.`,
        );
        fail(error);
        this.stop(error);
      },
    });
  }

  /** Sets the program's next step and returns it. If the program makes no progress, its streams fail. */
  step<T>(step: Promise<T>): Promise<T> {
    this.#step = step;
    return step;
  }

  /**
   * Resolves when the program has finished successfully. Throws {@link ProfileArchiveError}, or
   * {@link ServiceError} `err_storage`.
   */
  done(): Promise<void> {
    return Promise.race([this.step(this.#ended), this.#stalled]);
  }

  /** Kills the program and ends its streams, with the error if there is one. Safe to call twice. */
  stop(error?: Error): void {
    this.#watchdog.stop();
    this.child.kill('SIGKILL');
    for (const stream of this.#streams) stream.destroy(error);
  }

  get #streams() {
    return [this.child.stdin, this.child.stdout, this.child.stderr] as const;
  }
}

async function succeeded(child: ChildProcessWithoutNullStreams): Promise<void> {
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_TAIL_CHARS);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  if (/No space left on device|Disk quota exceeded/.test(output)) throw new ServiceError('err_storage');
  throw new ProfileArchiveError(`The profile's files cannot be read or written. ${output}`);
}
