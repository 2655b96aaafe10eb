import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';

/** Everything that {@link ManagedProcess.start} needs to know of a program. */
export interface ProcessOptions {
  /** What the log and the errors call it. */
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment: nothing is inherited, so nothing leaks in. */
  env: Record<string, string>;
  cwd?: string;
  /** Descriptors from 3 on; standard input is closed, output and errors go to the log tail. */
  extraStdio?: readonly ('pipe' | number)[];
}

const LOG_TAIL_LINES = 40;
const TERM_GRACE_MS = 2_000;

/**
 * A child process in a group of its own that does not outlive us: the kernel kills it when the process that started
 * it dies (`setpriv --pdeathsig`, from util-linux), and `stop` ends the whole group. It can gain no privileges.
 */
export class ManagedProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #tail: string[] = [];
  #ended = false;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#ended = true;
        resolve({ code, signal });
      });
      child.once('error', (error) => {
        this.#ended = true;
        this.#tail.push(error.message);
        resolve({ code: null, signal: null });
      });
    });
    for (const stream of [child.stdout, child.stderr]) this.#collect(stream);
  }

  /** Starts a program. A program that cannot be started shows as one that has `exited`. */
  static start(options: ProcessOptions): ManagedProcess {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.extraStdio ?? [])];
    const guard = ['--pdeathsig', 'KILL', '--no-new-privs', '--', options.command, ...options.args];
    const child = spawn('setpriv', guard, {
      stdio,
      env: options.env,
      detached: true,
      ...(options.cwd ? { cwd: options.cwd } : {}),
    });
    return new ManagedProcess(options.name, child);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get running(): boolean {
    return !this.#ended;
  }

  /** One of the pipes asked for with `extraStdio`. */
  pipe(descriptor: number): Duplex {
    const stream = this.child.stdio[descriptor];
    if (!stream) throw new Error(`${this.name} has no pipe ${descriptor}.`);
    return stream as Duplex;
  }

  /** The last lines that the program printed, for an error message. */
  get logTail(): string {
    return this.#tail.join('\n');
  }

  /** Ends the group: asks first, insists after two seconds. Resolves when the process is gone. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#signalGroup('SIGTERM');
    const insist = setTimeout(() => this.#signalGroup('SIGKILL'), TERM_GRACE_MS);
    await this.exited;
    clearTimeout(insist);
    this.#signalGroup('SIGKILL');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (!this.child.pid) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  #collect(stream: Readable | null): void {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#tail.push(...chunk.split('\n').filter((line) => line.trim() !== ''));
      if (this.#tail.length > LOG_TAIL_LINES) this.#tail = this.#tail.slice(-LOG_TAIL_LINES);
    });
  }
}

/** Reads the first line that arrives on a stream; rejects when the stream or the process ends before. */
export async function firstLine(stream: Readable, owner: ManagedProcess): Promise<string> {
  let text = '';
  const ended = owner.exited.then(({ code, signal }) => {
    throw new Error(`${owner.name} ended early (${signal ?? code ?? 'not found'}).\n${owner.logTail}`);
  });
  ended.catch(() => undefined);
  stream.setEncoding('utf8');
  while (!text.includes('\n')) {
    const [chunk] = (await Promise.race([once(stream, 'data'), ended])) as [string];
    text += chunk;
  }
  return text.slice(0, text.indexOf('\n'));
}
