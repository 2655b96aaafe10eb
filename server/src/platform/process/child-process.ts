import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { guardedCommand, NO_CORE } from './guarded-command.js';

/** Options of {@link ManagedProcess.start}. */
export interface ProcessOptions {
  /** Name in the log and in errors. */
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment. The program inherits no other variables. */
  env: Record<string, string>;
  cwd?: string;
  /**
   * More descriptors of the program, from 3 on. Descriptor 0 is empty. The last lines of descriptors 1 and 2
   * are kept.
   */
  extraStdio?: readonly ('pipe' | number)[];
}

/** Result of a program that has ended. */
export interface ProcessExit {
  /** Name in the log and in errors. */
  name: string;
  pid: number;
  /** Null if a signal ended it, or if it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Last lines of its output. */
  logTail: string;
}

/** Lines of a program's output that are kept. */
const LAST_LINES = 40;
/** Milliseconds between the request to end (SIGTERM) and the kill (SIGKILL). */
const STOP_TIMEOUT_MS = 2_000;
/**
 * Milliseconds for reading the output of an ended program. Another process may keep the output open forever.
 */
const OUTPUT_TIMEOUT_MS = 250;

/**
 * A child process in its own process group, started with {@link guardedCommand}. When the child ends, the
 * rest of its group is killed.
 */
export class ManagedProcess {
  /** Resolves when the process has ended, for any reason, and its output has been read. */
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

  /** Starts a program. If the start fails, `exited` resolves with the code null. */
  static start(options: ProcessOptions): ManagedProcess {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.extraStdio ?? [])];
    const guarded = guardedCommand([options.command, ...options.args]);
    const child = spawn('prlimit', [NO_CORE, '--', ...guarded], {
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

  /** Returns one of the pipes that `extraStdio` requested. */
  pipe(descriptor: number): Duplex {
    const stream = this.child.stdio[descriptor];
    if (!stream) throw new Error(`${this.name} has no pipe ${descriptor}.`);
    return stream as Duplex;
  }

  /** Last lines of the program's output. */
  get logTail(): string {
    return this.#lines.join('\n');
  }

  /**
   * Rejects with a description when the program ends. Use it in a `Promise.race` with a step that needs the
   * running program.
   */
  async endsEarly(): Promise<never> {
    const { name, code, signal, logTail } = await this.exited;
    throw new Error(`${name} ended early (${signal ?? code ?? 'not started'}).\n${logTail}`);
  }

  /** Sends SIGTERM to the group, and after a timeout SIGKILL. Resolves when the process is gone. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#signalGroup('SIGTERM');
    const insist = setTimeout(() => this.#signalGroup('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(insist);
  }

  /** Kills the group at once, for a program that does not answer. {@link exited} resolves when it is gone. */
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
      // The group is already gone.
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

/** Reads the first line that arrives on a stream. Rejects if the process ends before. */
export async function firstLine(stream: Readable, owner: ManagedProcess): Promise<string> {
  const line = once(createInterface({ input: stream }), 'line') as Promise<[string]>;
  return (await Promise.race([line, owner.endsEarly()]))[0];
}
