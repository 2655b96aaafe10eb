import { randomUUID } from 'node:crypto';
import type { Handoff, HandoffAnswer, HandoffOutcome, HandoffState } from 'cloud-browser/protocol';
import type { Clock, Timer } from '../../../platform/time/clock.js';
import { CallError } from '../calls/call-error.js';

/** Time for which a hand-off waits if the request has no timeout. Milliseconds. */
export const HANDOFF_TIMEOUT_MS = 600_000;
/** Maximum number of open hand-offs of a session. */
const MAX_OPEN = 8;
/** Number of ended hand-offs that callers can still read. */
const MAX_ENDED = 64;
/** Maximum number of calls that wait for the end of a hand-off. */
const MAX_WAITING = 64;

/** A request for a hand-off, with checked values. */
export interface HandoffOrder {
  /** User id of the agent. Null if all agents wait. */
  agent: string | null;
  name: string;
  instructions: string;
  timeoutMs: number;
}

interface Entry {
  state: HandoffState;
  timer: Timer;
  /** Functions to call when the hand-off ends. */
  waiting: Set<() => void>;
}

/** The hand-offs of a session: requests of agents for a person. The first answer counts. */
export class Handoffs {
  /** Called after a hand-off has begun or ended, with its state. */
  onChanged: (state: HandoffState) => void = () => undefined;
  readonly #entries = new Map<string, Entry>();
  #waiting = 0;

  constructor(private readonly clock: Clock) {}

  /** Begins a hand-off. Throws {@link CallError} if too many are open. */
  request({ agent, name, instructions, timeoutMs }: HandoffOrder): HandoffState {
    if (this.#open().length >= MAX_OPEN)
      throw new CallError(
        'err_too_many_handoffs',
        `A session can have at most ${MAX_OPEN} open hand-offs. Wait for an answer, or withdraw one.`,
      );
    const now = this.clock.date();
    const state: HandoffState = {
      ...{ id: randomUUID(), agent, name, instructions },
      requestedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + timeoutMs).toISOString(),
      ...{ outcome: null, note: '', answeredBy: null },
    };
    const timer = this.clock.setTimeout(() => this.#end(state.id, 'timeout'), timeoutMs);
    this.#entries.set(state.id, { state, timer, waiting: new Set() });
    this.#forgetOld();
    this.onChanged(state);
    return state;
  }

  /**
   * Answers a hand-off. Throws {@link CallError} if it has ended.
   *
   * @param by the user who answers
   */
  finish(id: string, answer: HandoffAnswer, note: string, by: string): void {
    const { outcome, answeredBy } = this.get(id);
    if (outcome)
      throw new CallError(
        'err_handoff_gone',
        answeredBy === null ? `The hand-off has ended: ${outcome}.` : 'Another user has answered already.',
      );
    this.#end(id, answer, note, by);
  }

  /**
   * Ends a hand-off that is not needed any more. Returns its state. A hand-off that has already ended stays
   * unchanged.
   */
  withdraw(id: string): HandoffState {
    this.get(id);
    this.#end(id, 'withdrawn');
    return this.get(id);
  }

  /** Withdraws the open hand-offs of an agent that has left. */
  withdrawOf(agent: string): void {
    for (const state of this.#open()) if (state.agent === agent) this.#end(state.id, 'withdrawn');
  }

  /** Returns a hand-off that is open or has recently ended. Throws {@link CallError} for an unknown id. */
  get(id: string): HandoffState {
    const entry = this.#entries.get(id);
    if (!entry) throw new CallError('err_handoff_gone', `There is no hand-off ${id} in this session.`);
    return entry.state;
  }

  /**
   * Resolves to the state when the hand-off has ended, or after this time. Rejects for an unknown id, or if
   * too many calls wait.
   *
   * @param leaving aborted with an error when the client of the call has gone; the wait then ends
   */
  async wait(id: string, milliseconds: number, leaving?: AbortSignal): Promise<HandoffState> {
    leaving?.throwIfAborted();
    const entry = this.#entries.get(id);
    if (!entry || entry.state.outcome || milliseconds <= 0) return this.get(id);
    if (this.#waiting >= MAX_WAITING)
      throw new CallError(
        'err_too_many_calls',
        `At most ${MAX_WAITING} calls can wait for hand-offs. Wait for some answers first.`,
      );
    this.#waiting += 1;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timer.cancel();
        entry.waiting.delete(done);
        leaving?.removeEventListener('abort', done);
        this.#waiting -= 1;
        resolve();
      };
      const timer = this.clock.setTimeout(done, milliseconds);
      entry.waiting.add(done);
      leaving?.addEventListener('abort', done);
    });
    leaving?.throwIfAborted();
    return entry.state;
  }

  /** Returns the open hand-offs in the form for viewers, oldest first. */
  open(): Handoff[] {
    return this.#open().map(({ id, name, agent, instructions, requestedAt, expiresAt }) => ({
      ...{ id, name, agent, instructions, requestedAt, expiresAt },
    }));
  }

  /** Returns the oldest open hand-off for which an agent waits. */
  openOf(agent: string): HandoffState | undefined {
    return this.#open().find((state) => state.agent === null || state.agent === agent);
  }

  /** Withdraws all open hand-offs, because the room closes. */
  close(): void {
    for (const { id } of this.#open()) this.#end(id, 'withdrawn');
  }

  #open(): HandoffState[] {
    return [...this.#entries.values()].map(({ state }) => state).filter(({ outcome }) => outcome === null);
  }

  #end(id: string, outcome: HandoffOutcome, note = '', answeredBy: string | null = null): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.state.outcome) return;
    entry.timer.cancel();
    entry.state = { ...entry.state, outcome, note, answeredBy };
    for (const done of [...entry.waiting]) done();
    this.onChanged(entry.state);
  }

  #forgetOld(): void {
    const ended = [...this.#entries.values()].filter(({ state }) => state.outcome !== null);
    for (const { state } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED)))
      this.#entries.delete(state.id);
  }
}
