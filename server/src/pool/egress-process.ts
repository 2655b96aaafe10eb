import { fork, type ChildProcess } from 'node:child_process';
import type { Server } from 'node:net';
import { NAME_THREADS, type EgressSettings, type FromEgress, type ToEgress } from '../egress-protocol.js';
import type { HttpProxy } from '../host-protocol.js';
import type { Clock, Timer } from '../platform/time/clock.js';
import { CodedError } from '../platform/coded-error.js';
import type { Log } from '../platform/log.js';
import { packageFile } from '../platform/files/package-files.js';
import { notReadyIn, startAdviceOf } from '../platform/process/start-advice.js';
import { StoppedWatch } from '../platform/process/stopped-watch.js';
import { Watchdog } from '../platform/process/watchdog.js';

/**
 * The egress process did not start. Hosted browsers would have no network, so the service does not start
 * either.
 */
export class EgressError extends CodedError {
  readonly code = 'err_egress_failed';
}

/** Longest time in milliseconds from `fork` to the message `ready`. */
const READY_TIMEOUT_MS = 20_000;
/**
 * Minimum time in milliseconds from the beginning of one start to the beginning of the next. If a process
 * ends after a longer time, it is started again at once.
 */
const RESTART_INTERVAL_MS = 1_000;
/** Number of characters of the process's output that are kept for the log. */
const OUTPUT_TAIL_CHARS = 4_096;
/** Number of threads in the process's thread pool. Name lookups use at most half of them. */
const THREADS = 2 * NAME_THREADS;

/** A listening socket that Node passes between processes. The service accepts no connections on it. */
export interface ListenerHandle {
  close(): void;
}

/** Options of an {@link EgressProcess}. */
export interface EgressLaunch {
  settings: EgressSettings;
  environment: Record<string, string>;
  clock: Clock;
  log: Log;
  /** Called when requests were refused. `counts`: number of refused requests by rule. */
  onRefused: (counts: Readonly<Record<string, number>>) => void;
  /**
   * Called when the process has ended, by itself or because it did not answer. The process is then started
   * again.
   */
  onRestart: () => void;
  /** Main module of the process. Default: the one of this build. */
  entry?: string;
}

/**
 * Interruption of a session's network. `restarted`: the process was started again. `resumed`: a signal had
 * stopped the process, and it continues.
 */
export type NetworkInterruption = 'restarted' | 'resumed';

interface OpenSession {
  listener: ListenerHandle;
  proxy: HttpProxy | null;
  onInterrupted: (interruption: NetworkInterruption) => void;
}

/**
 * The process through which all hosted browsers reach the network. It is restarted if it ends, and killed if
 * it does not answer. The service keeps the sessions' listening sockets open, so browsers that connect during
 * a restart only have to wait.
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
  /** Time of the last start, on the clock. */
  #startedAt = -Infinity;

  private constructor(launch: EgressLaunch) {
    this.#launch = launch;
  }

  /** Starts the process. Resolves when it is ready. Rejects with {@link EgressError}. */
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

  /** Process id of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Blocks hosted browsers from this port of the machine. */
  protectService(port: number): void {
    this.#servicePort = port;
    this.#send({ type: 'service', port });
  }

  /**
   * Serves a session's browser until the returned function is called. Takes ownership of the socket.
   *
   * @param listener the socket that the browser connects to
   * @param onInterrupted called when open requests may be lost or delayed
   */
  open(
    listener: ListenerHandle,
    proxy: HttpProxy | null,
    onInterrupted: (interruption: NetworkInterruption) => void = () => undefined,
  ): () => void {
    const session = ++this.#lastSession;
    const open = { listener, proxy, onInterrupted };
    this.#sessions.set(session, open);
    this.#sendOpen(session, open);
    return () => {
      if (!this.#sessions.delete(session)) return;
      this.#send({ type: 'close', session });
      listener.close();
    };
  }

  /** Kills the process. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#restart?.cancel();
    for (const { listener } of this.#sessions.values()) listener.close();
    this.#sessions.clear();
    this.#child?.kill('SIGKILL');
    await this.#gone;
  }

  #fork(): ChildProcess {
    const { settings, environment, entry = egressEntry() } = this.#launch;
    const execArgv = process.execArgv.filter((argument) => !argument.startsWith('--inspect'));
    return fork(entry, [JSON.stringify(settings)], {
      // The child has its own process group, so that Ctrl+C in a terminal reaches only the service. The
      // service then ends the child.
      detached: true,
      env: { ...environment, UV_THREADPOOL_SIZE: `${THREADS}` },
      execPath: 'setpriv',
      execArgv: ['--no-new-privs', '--', process.execPath, ...execArgv],
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
  }

  async #start(): Promise<void> {
    const { clock } = this.#launch;
    this.#startedAt = clock.now();
    const child = this.#fork();
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
    // The kernel queues messages that are sent before the process listens.
    if (this.#servicePort !== undefined) this.protectService(this.#servicePort);
    for (const [session, open] of this.#sessions) this.#sendOpen(session, open);
    let late: string | undefined;
    const timer = clock.setTimeout(() => {
      late = notReadyIn(READY_TIMEOUT_MS);
      child.kill('SIGKILL');
    }, READY_TIMEOUT_MS);
    const how = await Promise.race([ready, ended]);
    timer.cancel();
    if (how !== undefined) throw notStarted(late ?? how, output);
    const stopWatching = this.#watch(child, () => new Promise((resolve) => (pong = resolve)));
    void ended.then((why) => {
      stopWatching();
      this.#onEnd(why, output);
    });
  }

  /**
   * Kills the process if it does not answer, and continues it if a signal has stopped it. Returns a function
   * that ends the checks.
   *
   * @param nextPong resolves when the process answers a ping
   */
  #watch(child: ChildProcess, nextPong: () => Promise<void>): () => void {
    const { clock, log } = this.#launch;
    const watchdog = Watchdog.start({
      clock,
      ask: () => {
        this.#send({ type: 'ping' });
        return nextPong();
      },
      onHang: (milliseconds) => {
        log.error('the egress process does not answer and is ended', { milliseconds });
        child.kill('SIGKILL');
      },
    });
    const stoppedWatch = StoppedWatch.start({
      clock,
      pid: child.pid ?? -1,
      onContinued: () => {
        log.warn('the egress process was stopped and is continued');
        this.#tellSessions('resumed');
      },
    });
    return () => {
      watchdog.stop();
      stoppedWatch.stop();
    };
  }

  #onEnd(how: string, output: string): void {
    if (this.#closed) return;
    this.#launch.log.error('the egress process ended and is started again', { how, output });
    this.#launch.onRestart();
    this.#startAgain();
  }

  /** Starts the process again, at most once in each {@link RESTART_INTERVAL_MS}. */
  #startAgain(): void {
    const { clock, log } = this.#launch;
    const pause = RESTART_INTERVAL_MS - (clock.now() - this.#startedAt);
    if (pause > 0) {
      this.#restart = clock.setTimeout(() => this.#startAgain(), pause);
      return;
    }
    const restarted = () => this.#tellSessions('restarted');
    this.#start().then(restarted, (error: unknown) => {
      if (this.#closed) return;
      log.error('the egress process cannot be started', { error });
      this.#startAgain();
    });
  }

  #tellSessions(interruption: NetworkInterruption): void {
    for (const { onInterrupted } of this.#sessions.values()) onInterrupted(interruption);
  }

  #sendOpen(session: number, { listener, proxy }: Pick<OpenSession, 'listener' | 'proxy'>): void {
    const message: ToEgress = { type: 'open', session, proxy };
    // Sends nothing to a process that has ended. The next process receives all sessions when it starts.
    if (this.#child?.connected) this.#child.send(message, listener as unknown as Server, {}, () => undefined);
  }

  #send(message: ToEgress): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }
}

/** Returns the error of a process that did not start. `how`: the reason or the signal of its end. */
function notStarted(how: string, output: string): EgressError {
  // The runtime aborts without a message if it cannot start its threads.
  const advice = startAdviceOf(how === 'SIGABRT' ? `pthread_create ${output}` : output);
  return new EgressError(
    [`The egress process did not start (${how}).`, advice, output].filter(Boolean).join('\n'),
  );
}

/** Main module of the egress process in the build. */
function egressEntry(): string {
  return packageFile('dist', 'egress', 'main.js');
}
