import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../service-error.js';
import { CreateRate } from './create-rate.js';
import type { Placed, Placement, Wanted } from './placement.js';
import { newSessionId } from './session-id.js';

/** What one machine has room for. */
export interface OneMachineLimits {
  /** Sessions that may be live at once. */
  maxSessions: number;
  /** Sessions that each API key may begin in a minute. */
  createsPerMinute: number;
}

/** The placement of a service without others: everything runs here, as long as there is room. */
export class OneMachine implements Placement {
  /** Each session and its tag. */
  readonly #held = new Map<string, string | null>();
  readonly #holders = new Map<string, string>();
  readonly #rate: CreateRate;

  constructor(
    private readonly limits: OneMachineLimits,
    clock: Clock,
  ) {
    this.#rate = new CreateRate(clock, limits.createsPerMinute);
  }

  place({ tag, apiKey }: Wanted): Promise<Placed> {
    const holder = tag === null ? undefined : this.#holders.get(tag);
    if (holder !== undefined) return Promise.resolve({ kind: 'exists', id: holder, node: null });
    // What is refused rejects.
    return new Promise((resolve) => resolve({ kind: 'begin', id: this.#reserve(tag, apiKey), node: null }));
  }

  release(sessionId: string): void {
    const tag = this.#held.get(sessionId);
    if (typeof tag === 'string') this.#holders.delete(tag);
    this.#held.delete(sessionId);
  }

  /** Nothing is on its way to the machine that it is on. */
  missing(): Promise<void> {
    return Promise.resolve();
  }

  #reserve(tag: string | null, apiKey: string): string {
    const { maxSessions } = this.limits;
    this.#rate.take(apiKey);
    if (this.#held.size >= maxSessions) throw new ServiceError('err_exceeded_vm_limit', maxSessions);
    const id = newSessionId();
    this.#held.set(id, tag);
    if (tag !== null) this.#holders.set(tag, id);
    return id;
  }
}
