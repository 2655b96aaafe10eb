import type { Clock, Timer } from '../../../platform/time/clock.js';
import { CallError, clientGone } from '../calls/call-error.js';

/** Maximum number of commands of one agent that wait. Further ones are refused at once. */
export const MAX_WAITING_ACTS = 256;

interface WaitingAct {
  begin: () => void;
  refuse: (error: CallError) => void;
  deadline: Timer;
}

/** Commands of one agent that wait until it has control. They begin in order. */
export class ActQueue {
  readonly #waiting = new Set<WaitingAct>();

  constructor(
    private readonly holdMs: number,
    private readonly clock: Clock,
  ) {}

  get empty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Resolves when the command may begin. Rejects with {@link CallError}.
   *
   * @param leaving signals that the client of the command has gone; the command then leaves the queue
   */
  wait(leaving?: AbortSignal): Promise<void> {
    if (leaving?.aborted) return Promise.reject(clientGone());
    if (this.#waiting.size >= MAX_WAITING_ACTS) return Promise.reject(personHasControl());
    return new Promise((resolve, reject) => {
      const onLeaving = () => giveUp(clientGone());
      const settled = () => leaving?.removeEventListener('abort', onLeaving);
      const giveUp = (error: CallError) => {
        this.#waiting.delete(act);
        act.deadline.cancel();
        act.refuse(error);
      };
      const act: WaitingAct = {
        begin: () => {
          settled();
          resolve();
        },
        refuse: (error) => {
          settled();
          reject(error);
        },
        deadline: this.clock.setTimeout(() => giveUp(personHasControl()), this.holdMs),
      };
      this.#waiting.add(act);
      leaving?.addEventListener('abort', onLeaving, { once: true });
    });
  }

  /** Begins all waiting commands. */
  begin(): void {
    for (const act of this.#take()) act.begin();
  }

  /** Refuses all waiting commands. */
  refuse(error: CallError): void {
    for (const act of this.#take()) act.refuse(error);
  }

  #take(): WaitingAct[] {
    const acts = [...this.#waiting];
    this.#waiting.clear();
    for (const { deadline } of acts) deadline.cancel();
    return acts;
  }
}

/** Returns the error for a command that a person's control prevents. */
export function personHasControl(): CallError {
  const message = 'A person has control of the browser. Try again when they have finished.';
  return new CallError('err_person_has_control', message);
}
