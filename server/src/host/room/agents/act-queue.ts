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

  /** @param handoff returns the open hand-off for which the agent waits */
  constructor(
    private readonly holdMs: number,
    private readonly clock: Clock,
    private readonly handoff: () => { readonly id: string } | undefined = () => undefined,
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
    if (this.#waiting.size >= MAX_WAITING_ACTS) return Promise.reject(this.#noControl());
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
        deadline: this.clock.setTimeout(() => giveUp(this.#noControl()), this.holdMs),
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

  /** Names an open hand-off, because a program that was restarted may not know about it. */
  #noControl(): CallError {
    const open = this.handoff();
    const message = open
      ? `The hand-off ${open.id} is open, so a person has control. Wait until it has an outcome, or withdraw it.`
      : 'A person has control of the browser. Try again when they have finished.';
    return new CallError('err_person_has_control', message);
  }

  #take(): WaitingAct[] {
    const acts = [...this.#waiting];
    this.#waiting.clear();
    for (const { deadline } of acts) deadline.cancel();
    return acts;
  }
}
