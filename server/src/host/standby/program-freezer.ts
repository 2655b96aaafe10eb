import { closeSync, openSync, writeSync } from 'node:fs';
import { sendSignal } from '../../platform/process/send-signal.js';
import type { Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import { SessionProcesses, type ProcessUse } from '../limits/session-processes.js';
import type { FreezablePrograms } from './standby.js';

/** Timeout for the service's answer. Milliseconds. On timeout, the programs are stopped by signals. */
export const ANSWER_TIMEOUT_MS = 2_000;
/**
 * Maximum number of rounds in which all running processes are listed and stopped. One round may not be
 * enough, because a process may start others before it is stopped itself.
 */
const ROUNDS = 5;

/** Dependencies of a {@link ProgramFreezer}. Tests replace those that have a default. */
export interface ProgramFreezerParts {
  clock: Clock;
  /**
   * Requests the file of a control group from the service, see the message `freezer` in `host-protocol.ts`.
   */
  askFile(): void;
  /** Called when the control group cannot continue the frozen programs. */
  onFailure(error: unknown): void;
  /** Returns the resource use of the host and of all its descendants. */
  look?: () => readonly ProcessUse[];
  signal?: (pid: number, signal: 'SIGSTOP' | 'SIGCONT') => void;
}

/**
 * Freezes all programs of a session, but not its host: by a control group if the service provides one,
 * otherwise by signals. The group's file stays open, so that the programs can be continued even if no more
 * files can be opened.
 */
export class ProgramFreezer implements FreezablePrograms {
  #file: number | undefined;
  #answered: () => void = () => undefined;
  #signalled = false;

  constructor(private readonly parts: ProgramFreezerParts) {}

  /** Handles the answer of the service: the path of the file, or null if there is none. */
  take(file: string | null): void {
    try {
      if (file !== null) this.#file ??= openSync(file, 'r+');
    } catch {
      // The programs are stopped by signals instead.
    }
    this.#answered();
  }

  async prepare(): Promise<void> {
    const answer = new Promise<void>((resolve) => (this.#answered = resolve));
    // Asks each time, because restarted programs must be moved to the group too.
    this.parts.askFile();
    await withTimeout(answer, ANSWER_TIMEOUT_MS, () => undefined, this.parts.clock);
  }

  freeze(): void {
    if (!this.#write('1')) this.#stop();
  }

  thaw(): void {
    const continued = this.#file === undefined || this.#write('0');
    // If the control group could not freeze the programs, signals have stopped them.
    if (!continued && !this.#signalled)
      this.parts.onFailure(new Error('The control group of the programs could not be continued.'));
    if (this.#signalled) this.#signalAll('SIGCONT');
    this.#signalled = false;
  }

  /** Closes the file. Call it when the programs have ended. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(value: '0' | '1'): boolean {
    try {
      return this.#file !== undefined && writeSync(this.#file, value, 0) > 0;
    } catch {
      return false;
    }
  }

  #stop(): void {
    this.#signalled = true;
    for (let round = 0; round < ROUNDS; round++) if (!this.#signalAll('SIGSTOP')) return;
  }

  /** Returns true if a process received the signal. */
  #signalAll(signal: 'SIGSTOP' | 'SIGCONT'): boolean {
    const { look = () => new SessionProcesses(process.pid).look(), signal: send = sendSignal } = this.parts;
    const others = look().filter(
      ({ pid, zombie, stopped }) => pid !== process.pid && !zombie && (signal === 'SIGCONT' || !stopped),
    );
    for (const { pid } of others) send(pid, signal);
    return others.length > 0;
  }
}
