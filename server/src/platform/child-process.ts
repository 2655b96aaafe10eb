import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
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
  /** Descriptors from 3 on; standard input is empty, of output and errors the last lines are kept. */
  extraStdio?: readonly ('pipe' | number)[];
}

/** How a program ended. */
export interface ProcessExit {
  /** What the log and the errors call it. */
  name: string;
  pid: number;
  /** Null when a signal ended it, or when it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it printed last. */
  logTail: string;
}

/** Lines that are kept of what a program prints. */
const LAST_LINES = 40;
/** How long a program has to end when it is asked to; then it is killed. */
const STOP_TIMEOUT_MS = 2_000;
/** How long the output of a program that has ended is read: somebody else may hold it open. */
const OUTPUT_TIMEOUT_MS = 250;

/**
 * A crash leaves no copy of the program's memory on the machine's disk. A limit of one byte is too little for a file, and of all limits
 * the only one that the kernel heeds for a program that collects such copies; `fs/coredump.c` of its sources.
 */
const NO_CORE = ['--core=1:1', '--'];

/**
 * A child process in a group of its own that does not outlive us: the kernel kills it when the process that started
 * it dies (`setpriv --pdeathsig`, from util-linux), and what is left of the group ends with it. It can gain no privileges.
 */
export class ManagedProcess {
  /** Resolves when the process has ended, for whatever reason, and its output has been read. */
  readonly exited: Promise<ProcessExit>;
  #lines: string[] = [];
  #ended = false;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    this.exited = this.#watch().then((end) => ({ name, pid: this.pid, ...end, logTail: this.logTail }));
    for (const stream of [child.stdout, child.stderr]) this.#collect(stream);
  }

  /** Starts a program. A program that cannot be started shows as one that has `exited`. */
  static start(options: ProcessOptions): ManagedProcess {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.extraStdio ?? [])];
    const guard = [
      ...NO_CORE,
      ...['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
      ...[options.command, ...options.args],
    ];
    const child = spawn('prlimit', guard, {
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

  /** What the program printed last. */
  get logTail(): string {
    return this.#lines.join('\n');
  }

  /** Rejects when the program ends, with how it did: to be raced against what it must do first. */
  async endsEarly(): Promise<never> {
    const { name, code, signal, logTail } = await this.exited;
    throw new Error(`${name} ended early (${signal ?? code ?? 'not started'}).\n${logTail}`);
  }

  /** Ends the group: asks first, then kills it. Resolves when the process is gone. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#signalGroup('SIGTERM');
    const insist = setTimeout(() => this.#signalGroup('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(insist);
  }

  /** Ends the group without asking, as one that does not answer; {@link exited} tells when it is gone. */
  kill(): void {
    if (!this.#ended) this.#signalGroup('SIGKILL');
  }

  #watch(): Promise<Pick<ProcessExit, 'code' | 'signal'>> {
    return new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        this.#ended = true;
        this.#signalGroup('SIGKILL');
        const timer = setTimeout(() => resolve({ code, signal }), OUTPUT_TIMEOUT_MS);
        this.child.once('close', () => {
          clearTimeout(timer);
          resolve({ code, signal });
        });
      });
      this.child.once('error', (error) => {
        this.#ended = true;
        this.#lines.push(error.message);
        resolve({ code: null, signal: null });
      });
    });
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
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() === '') return;
      this.#lines.push(line);
      if (this.#lines.length > LAST_LINES) this.#lines.shift();
    });
  }
}

/** Reads the first line that arrives on a stream; rejects when the process ends before. */
export async function firstLine(stream: Readable, owner: ManagedProcess): Promise<string> {
  const line = once(createInterface({ input: stream }), 'line') as Promise<[string]>;
  return (await Promise.race([line, owner.endsEarly()]))[0];
}
