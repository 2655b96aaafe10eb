import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ExpectedScreen, FromHost, HostPlace, ToHost } from '../../host-protocol.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { Clock, Timer } from '../../platform/time/clock.js';
import { giveSocket } from '../give-socket.js';
import { CodedError } from '../../platform/coded-error.js';
import { killGroup } from '../processes.js';
import { hostArguments, hostCommand } from './host-command.js';

/**
 * Number of characters of a host's error output that are kept for the log. This is enough for an error with
 * its stack.
 */
const OUTPUT_TAIL_CHARS = 4_096;

/**
 * Makes all threads of a host share one arena of the C library's `malloc`. By default, each of about 15
 * threads has an arena with free memory of its own. One arena takes 4 MB less for each session. Starts and
 * clicks are not slower.
 */
const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };

/** Thrown if this process has no free descriptors for the channels to a host. */
class NoDescriptorsError extends CodedError {
  readonly code = 'EMFILE';
}

/** The program that a {@link HostChild} runs. */
export interface HostProgram {
  /** Main module of the host. */
  entry: string;
  environment: Record<string, string>;
  /** Limits of each session. */
  limits: SessionLimits;
  clock: Clock;
}

/** Receiver of the events of a {@link HostChild}. */
export interface HostChildListener {
  onMessage(message: FromHost, handle: unknown): void;
  /**
   * Called when the host has closed its channel. The host then neither serves its session nor receives a
   * request to end.
   */
  onDisconnect(): void;
}

/**
 * The operating system process of one host, in a process group of its own. When the process ends, this class
 * kills the rest of the group.
 */
export class HostChild {
  /**
   * Resolves when the process has ended. The text contains the signal, the exit code, or the error of the
   * start.
   */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #output = '';
  #killTimer: Timer | undefined;
  /** True if the process has ended. Another process may then have its id. */
  #ended = false;

  /**
   * Throws an error with a system code, such as `EMFILE`, if the process cannot be started because a resource
   * is used up. {@link exited} reports other failures of the start.
   */
  constructor(
    { entry, environment, limits, clock }: HostProgram,
    place: HostPlace,
    expected: ExpectedScreen | undefined,
    listener: HostChildListener,
  ) {
    this.#clock = clock;
    this.#child = fork(entry, hostArguments(place, expected), {
      detached: true,
      env: { ...environment, ...ONE_ARENA },
      ...hostCommand(place, limits),
      serialization: 'json',
      // The last two entries are FILE_CHANNEL and RECORDING_CHANNEL.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe', 'pipe'],
    });
    // Without free descriptors, Node creates no channels and reports the error only later.
    if ((this.#child.stdio as ChildProcess['stdio'] | undefined) === undefined) {
      this.#child.once('error', () => undefined);
      throw new NoDescriptorsError('There are no free descriptors for the channels to a session host.');
    }
    this.#child.on('message', (message, handle: unknown) => listener.onMessage(message as FromHost, handle));
    this.#child.once('disconnect', () => listener.onDisconnect());
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-OUTPUT_TAIL_CHARS);
    });
    this.exited = new Promise((resolve) => {
      const ended = (how: string) => {
        this.#killTimer?.cancel();
        this.kill();
        this.#ended = true;
        resolve(how);
      };
      // If the process cannot be started, `error` is emitted instead of `exit`.
      this.#child.once('error', (error) => ended(error.message));
      this.#child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    });
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The end of the process's error output. */
  get output(): string {
    return this.#output;
  }

  /** True if the process has ended or cannot be reached any more. */
  get lost(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || !this.#child.connected;
  }

  /** Returns a channel to the process, by the number of its descriptor. */
  channel(descriptor: number): Duplex {
    return this.#child.stdio.at(descriptor) as Duplex;
  }

  /** Sends a message. A process that is already gone receives nothing. {@link exited} reports its end. */
  send(message: ToHost): void {
    this.#child.send(message, () => undefined);
  }

  /** Sends a message with a socket. Closes a socket that cannot be sent. */
  giveSocket(message: ToHost, socket: Socket): void {
    giveSocket(this.#child, message, socket);
  }

  /** Kills the process and its group. Does nothing if the process has ended. */
  kill(): void {
    if (!this.#ended && this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  /**
   * Kills the process and its group after this time. Does nothing if the process has ended. Only the first
   * call has an effect.
   */
  killAfter(milliseconds: number): void {
    if (this.#ended) return;
    this.#killTimer ??= this.#clock.setTimeout(() => this.kill(), milliseconds);
  }
}
