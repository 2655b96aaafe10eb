import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { HostPlace } from '../host-protocol.js';
import type { Clock } from '../platform/clock.js';
import { CodedError } from '../platform/coded-error.js';
import { Watchdog } from '../platform/watchdog.js';
import { ServiceError } from '../service-error.js';

/** Looks, two seconds apart, that may find the same step undone: a busy disk lives, and one that hangs is given up after 30 s. */
export const STALLED_LOOKS = 15;
/** Where a program finds the directory that it is given. */
export const INHERITED = '/proc/self/fd/3';
/** What is kept of a program's complaints, for the error. */
const OUTPUT_TAIL_CHARS = 500;

/** A profile could not be packed or unpacked. */
export class ProfileArchiveError extends CodedError {
  readonly code = 'err_profile_archive';
}

/**
 * A program that works on a session's files as the session's user, and has to get on: one that does nothing for 30 s is killed, however
 * long all of its work may take. What waits for it rejects then, even when the kernel cannot end it.
 */
export class WatchedTool {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #stalled: Promise<never>;
  readonly #watchdog: Watchdog;
  /** What it has to do next; when that is done nobody waits for it. */
  #step: Promise<unknown> = Promise.resolve();

  /** @param descriptor given to the program as {@link INHERITED} */
  constructor(
    { uid, gid }: HostPlace,
    clock: Clock,
    command: string,
    args: readonly string[],
    descriptor?: number,
  ) {
    const become = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const guard = ['--pdeathsig', 'KILL', ...become, '--no-new-privs', '--'];
    this.child = spawn('setpriv', [...guard, command, ...args], {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', descriptor],
    }) as ChildProcessWithoutNullStreams;
    // Whoever waits for a stream is told; without a listener an error that nobody waits for would end the service.
    for (const stream of this.#streams) stream.on('error', () => undefined);
    this.#ended = succeeded(this.child);
    let fail: (error: Error) => void = () => undefined;
    this.#stalled = new Promise((_resolve, reject) => (fail = reject));
    // Told to those who wait; at times nobody does.
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

  /** Says what the program has to do next, and answers it. Its streams tell those who wait for them when it does not. */
  step<T>(step: Promise<T>): Promise<T> {
    this.#step = step;
    return step;
  }

  /** Resolves when the program has done its work. Throws {@link ProfileArchiveError}, or {@link ServiceError} `err_storage`. */
  done(): Promise<void> {
    return Promise.race([this.step(this.#ended), this.#stalled]);
  }

  /** Ends the program; what waits for its streams is told the error. Safe to call twice. */
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
