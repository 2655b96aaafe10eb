import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import { withTimeout } from '../../platform/time/timeout.js';
import { ServiceError } from '../../service-error.js';

/**
 * State of session starts.
 * - `sound`: sessions start on this machine.
 * - `suspect`: a session ended while it started. Its own settings may be the cause.
 * - `failing`: no session starts.
 */
export type StartState = 'sound' | 'suspect' | 'failing';

/** Step that failed: the start of a host, the start of a session until its page was shown, or a trial. */
export type FailedStage = 'host' | 'session' | 'trial';

/**
 * Pause between two trials in milliseconds: first pause and longest pause. Each failed trial doubles the
 * pause.
 */
export const TRIAL_PAUSE_MS = 5_000;
export const LONGEST_PAUSE_MS = 60_000;
/** Milliseconds after which a trial without a result counts as failed. */
export const TRIAL_MS = 60_000;
/**
 * Milliseconds for which a create request waits for the page of its session on a machine that is not `sound`.
 */
export const PROOF_MS = 20_000;

/** A session that is starting. */
export interface StartingSession {
  /** Resolves with true when the page is shown, and with false if the session ends, or must end, earlier. */
  readonly shown: Promise<boolean>;
  /** Reason of the first request to end the session. */
  readonly requestedEnd: unknown;
}

/** Dependencies of {@link StartHealth}. */
export interface StartHealthParts {
  /**
   * Starts a browser as for a session, and ends it. Rejects if the start fails. Rejects with
   * `err_exceeded_vm_limit` if the machine has no place for the trial.
   */
  tryStart: () => Promise<void>;
  clock: Clock;
  log: Log;
  /** Called on each failure. */
  onFailure?: (stage: FailedStage) => void;
  /** Called when {@link StartHealth.ready} changes. */
  onChange?: () => void;
}

/**
 * Tracks whether sessions start on this machine. A failure causes a trial start, and a successful trial makes
 * the machine sound again.
 */
export class StartHealth {
  #state: StartState = 'sound';
  #failedAt = -Infinity;
  #nextTrial = -Infinity;
  #pause = TRIAL_PAUSE_MS;
  readonly #trials: Repetition;
  #stopped = false;

  constructor(private readonly parts: StartHealthParts) {
    const { clock } = parts;
    const every = () => (this.#state === 'sound' ? Infinity : Math.max(0, this.#nextTrial - clock.now()));
    this.#trials = repeat(clock, { every }, () => this.#try());
  }

  get state(): StartState {
    return this.#state;
  }

  /** True if this machine may receive sessions. */
  get ready(): boolean {
    return this.#state !== 'failing';
  }

  /**
   * Records a failure. If a host did not start, the machine stops receiving sessions at once, because no
   * session can cause that failure.
   */
  failed(stage: Exclude<FailedStage, 'trial'>, problem: string): void {
    if (this.#stopped) return;
    this.parts.onFailure?.(stage);
    this.#failedAt = this.parts.clock.now();
    if (stage === 'host') this.#move('failing', problem);
    else if (this.#state === 'sound') this.#move('suspect', problem);
    this.#trials.wake();
  }

  /**
   * Records a session that showed its page. `startedAt`: time on the clock at which the start of the session
   * began.
   */
  succeeded(startedAt: number): void {
    if (startedAt > this.#failedAt) this.#move('sound');
  }

  /**
   * Resolves when a create request may be answered. On a sound machine, resolves at once. Otherwise waits for
   * the session's page, so that no caller receives a session that fails during its start. Rejects with
   * `err_session_failed`. A requested end is no failure.
   */
  async assure(session: StartingSession): Promise<void> {
    if (this.#state === 'sound') return;
    const result = await withTimeout(session.shown, PROOF_MS, () => 'late' as const, this.parts.clock);
    if (result === true || session.requestedEnd !== undefined) return;
    if (result === 'late') this.failed('session', 'A session showed no page in time.');
    throw startFailed();
  }

  /** Ends the trials. Safe to call twice. */
  stop(): void {
    this.#stopped = true;
    this.#trials.stop();
  }

  #move(state: StartState, problem?: string): void {
    const before = this.#state;
    if (before === state) return;
    this.#state = state;
    const { log, onChange } = this.parts;
    if (state === 'sound') {
      this.#pause = TRIAL_PAUSE_MS;
      log.info('sessions start on this machine again');
    } else if (state === 'suspect') log.warn('a session ended while it started', { problem });
    else log.error('sessions do not start on this machine', { problem });
    if ((before === 'failing') !== (state === 'failing')) onChange?.();
  }

  async #try(): Promise<void> {
    const { clock, onFailure } = this.parts;
    // The machine may have become sound since the trial was planned.
    if (this.#state === 'sound') return;
    const began = clock.now();
    const problem = await this.#trial();
    if (this.#stopped) return;
    if (problem === undefined && this.#failedAt <= began) this.#move('sound');
    else if (typeof problem === 'string') {
      onFailure?.('trial');
      this.#move('failing', problem);
    }
    this.#nextTrial = clock.now() + this.#pause;
    if (typeof problem === 'string') this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }

  /**
   * Runs a trial. Resolves to undefined if the trial succeeded, to null if the machine had no place for it,
   * and otherwise to the reason of the failure.
   */
  #trial(): Promise<string | null | undefined> {
    const trial = this.parts.tryStart().then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ServiceError && error.code === 'err_exceeded_vm_limit') return null;
        return error instanceof Error ? error.message : String(error);
      },
    );
    return withTimeout(trial, TRIAL_MS, () => 'The trial start takes too long.', this.parts.clock);
  }
}

/** Returns the error for a create request whose session ended while it started, or showed no page in time. */
export function startFailed(): ServiceError {
  return new ServiceError('err_session_failed', 'it ended while it started.');
}
