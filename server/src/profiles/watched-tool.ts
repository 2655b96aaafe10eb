import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { HostPlace } from '../host-protocol.js';
import type { Clock } from '../platform/time/clock.js';
import { CodedError } from '../platform/coded-error.js';
import { guardedCommand } from '../platform/process/guarded-command.js';
import { Watchdog } from '../platform/process/watchdog.js';
import { ServiceError } from '../service-error.js';

/**
 * Number of consecutive checks after which an unfinished step counts as hanging. The checks are two seconds
 * apart, so this takes 30 s. Even a busy disk makes progress within this time.
 */
export const STALLED_LOOKS = 15;
/** Path under which a program finds the directory whose descriptor it inherits. */
export const INHERITED = '/proc/self/fd/3';
/** Number of characters from the end of a program's error output that an error contains. */
const OUTPUT_TAIL_CHARS = 500;

/** Thrown if a profile could not be packed or unpacked. */
export class ProfileArchiveError extends CodedError {
  readonly code = 'err_profile_archive';
}

/**
 * Runs a program on a session's files as the session's user, and checks its progress. If the program makes no
 * progress for 30 s, it is killed. Its promises and streams then fail, even if the kernel cannot end the
 * program. The total time has no limit.
 */
export class WatchedTool {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #stalled: Promise<never>;
  readonly #watchdog: Watchdog;
  /** Promise for the program's current step. The promise is already settled while the program has no work. */
  #step: Promise<unknown> = Promise.resolve();

  /** @param descriptor descriptor of a directory, which the program finds at {@link INHERITED} */
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
    // Readers of a stream receive its errors. This listener prevents an unhandled error, which would end the
    // service.
    for (const stream of this.#streams) stream.on('error', () => undefined);
    this.#ended = succeeded(this.child);
    let fail: (error: Error) => void = () => undefined;
    this.#stalled = new Promise((_resolve, reject) => (fail = reject));
    // Prevents unhandled rejections while no caller waits for these promises.
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

  /**
   * Sets the promise for the program's next step, and returns this promise. If the step does not end in time,
   * the program is killed and its streams fail.
   */
  step<T>(step: Promise<T>): Promise<T> {
    this.#step = step;
    return step;
  }

  /**
   * Resolves when the program has finished successfully. Rejects with {@link ProfileArchiveError}, or with
   * {@link ServiceError} `err_storage` if the disk is full.
   */
  done(): Promise<void> {
    return Promise.race([this.step(this.#ended), this.#stalled]);
  }

  /**
   * Kills the program and ends its streams. If `error` is given, readers of the streams receive it. Safe to
   * call twice.
   */
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
