import { fork, type ChildProcess } from 'node:child_process';
import type { Server } from 'node:net';
import { NAME_THREADS, type EgressSettings, type FromEgress, type ToEgress } from '../egress-protocol.js';
import type { HttpProxy } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/clock.js';
import { CodedError } from '../platform/coded-error.js';
import type { Log } from '../platform/log.js';
import { packageFile } from '../platform/package-files.js';
import { Watchdog } from '../platform/watchdog.js';

/** Hosted browsers would have no way out, so nothing is served. */
export class EgressError extends CodedError {
  readonly code = 'err_egress_failed';
}

/** From `fork` to `ready`. */
const READY_TIMEOUT_MS = 20_000;
/** A process that ended is started again at once, but not more often than this. */
const RESTART_INTERVAL_MS = 1_000;
/** What is kept of its output, for the log. */
const OUTPUT_TAIL_CHARS = 4_096;
/** Twice as many as are for names. */
const THREADS = 2 * NAME_THREADS;

/** A socket as Node passes it between processes, without anybody accepting on it here. */
export interface ListenerHandle {
  close(): void;
}

/** What an {@link EgressProcess} is started with. */
export interface EgressLaunch {
  settings: EgressSettings;
  environment: Record<string, string>;
  clock: Clock;
  log: Log;
  /** Requests were refused, by rule. */
  onRefused: (counts: Readonly<Record<string, number>>) => void;
  /** The process ended, by itself or since it did not answer, and is started again. */
  onRestart: () => void;
  /** The process's main module; by default the one that belongs to this code. */
  entry?: string;
}

interface OpenSession {
  listener: ListenerHandle;
  proxy: HttpProxy | null;
}

/**
 * The one process through which all hosted browsers reach the network. It is started again when it ends, and ended when it does not
 * answer: the sessions' sockets are kept here, so browsers that connect meanwhile only wait.
 */
export class EgressProcess {
  readonly #launch: EgressLaunch;
  readonly #sessions = new Map<number, OpenSession>();
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #servicePort: number | undefined;
  #lastSession = 0;
  #closed = false;
  #restart: Timer | undefined;

  private constructor(launch: EgressLaunch) {
    this.#launch = launch;
  }

  /** Starts the process; resolves when it can serve. Rejects with {@link EgressError}. */
  static async start(launch: EgressLaunch): Promise<EgressProcess> {
    const egress = new EgressProcess(launch);
    try {
      await egress.#start();
    } catch (error) {
      await egress.close();
      throw error;
    }
    return egress;
  }

  /** Process id of the running one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Hosted browsers are kept from this port of the machine. */
  protectService(port: number): void {
    this.#servicePort = port;
    this.#send({ type: 'service', port });
  }

  /**
   * Serves a session's browser until the answer is called. The socket belongs to us from here on.
   *
   * @param listener the socket that the browser connects to
   */
  open(listener: ListenerHandle, proxy: HttpProxy | null): () => void {
    const session = ++this.#lastSession;
    this.#sessions.set(session, { listener, proxy });
    this.#sendOpen(session, { listener, proxy });
    return () => {
      if (!this.#sessions.delete(session)) return;
      this.#send({ type: 'close', session });
      listener.close();
    };
  }

  /** Ends the process; resolves when it is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#restart?.cancel();
    for (const { listener } of this.#sessions.values()) listener.close();
    this.#sessions.clear();
    this.#child?.kill('SIGKILL');
    await this.#gone;
  }

  async #start(): Promise<void> {
    const { settings, environment, clock, entry = egressEntry() } = this.#launch;
    const execArgv = process.execArgv.filter((argument) => !argument.startsWith('--inspect'));
    const child = fork(entry, [JSON.stringify(settings)], {
      // Not of our group: what is typed at the terminal ends us, and we end it.
      detached: true,
      env: { ...environment, UV_THREADPOOL_SIZE: `${THREADS}` },
      execPath: 'setpriv',
      execArgv: ['--no-new-privs', '--', process.execPath, ...execArgv],
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_TAIL_CHARS);
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    this.#gone = ended.then(() => undefined);
    let pong: () => void = () => undefined;
    const ready = new Promise<undefined>((resolve) => {
      child.on('message', (message) => {
        const told = message as FromEgress;
        if (told.type === 'ready') resolve(undefined);
        else if (told.type === 'pong') pong();
        else this.#launch.onRefused(told.counts);
      });
    });
    // The kernel queues what is sent before the process listens.
    if (this.#servicePort !== undefined) this.protectService(this.#servicePort);
    for (const [session, open] of this.#sessions) this.#sendOpen(session, open);
    const timer = clock.setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
    const how = await Promise.race([ready, ended]);
    timer.cancel();
    if (how !== undefined) throw new EgressError(`The egress process did not start (${how}).\n${output}`);
    const watchdog = Watchdog.start({
      clock,
      ask: () => {
        this.#send({ type: 'ping' });
        return new Promise<void>((resolve) => (pong = resolve));
      },
      onHang: (milliseconds) => {
        this.#launch.log.error('the egress process does not answer and is ended', { milliseconds });
        child.kill('SIGKILL');
      },
    });
    void ended.then((why) => {
      watchdog.stop();
      this.#onEnd(why, output);
    });
  }

  #onEnd(how: string, output: string): void {
    if (this.#closed) return;
    this.#launch.log.error('the egress process ended and is started again', { how, output });
    this.#launch.onRestart();
    this.#startAgain(performance.now());
  }

  #startAgain(began: number): void {
    this.#start().catch((error: unknown) => {
      if (this.#closed) return;
      this.#launch.log.error('the egress process cannot be started', { error });
      const pause = Math.max(0, RESTART_INTERVAL_MS - (performance.now() - began));
      this.#restart = this.#launch.clock.setTimeout(() => this.#startAgain(performance.now()), pause);
    });
  }

  #sendOpen(session: number, { listener, proxy }: OpenSession): void {
    const message: ToEgress = { type: 'open', session, proxy };
    // A process that is gone cannot listen; the next one is told.
    if (this.#child?.connected) this.#child.send(message, listener as unknown as Server, {}, () => undefined);
  }

  #send(message: ToEgress): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }
}

/** The main module of the egress process, as the build has made it. */
function egressEntry(): string {
  return packageFile('dist', 'egress', 'main.js');
}
