import type { Clock } from '../../platform/time/clock.js';
import { ServiceError } from '../../service-error.js';
import { CreateRate } from '../creation/create-rate.js';
import { NotReachedError } from './other-nodes.js';
import type { Placed, Placement, PlacementRequest } from './placement.js';
import { newSessionId } from '../session-id.js';

/** Limits of one machine. */
export interface SingleMachineLimits {
  /** Sessions that may be live at the same time. */
  maxSessions: number;
  /** Sessions that each API key may begin per minute. */
  createsPerMinute: number;
}

/** Placement for a single machine. Every session runs here while there is room. */
export class SingleMachinePlacement implements Placement {
  /** Tag of each session that holds a place, by session id. Null: the session has no tag. */
  readonly #held = new Map<string, string | null>();
  readonly #holders = new Map<string, string>();
  readonly #rate: CreateRate;

  constructor(
    private readonly limits: SingleMachineLimits,
    clock: Clock,
  ) {
    this.#rate = new CreateRate(clock, limits.createsPerMinute);
  }

  place({ tag, apiKey }: PlacementRequest, passedOver: readonly string[] = []): Promise<Placed> {
    if (passedOver.length > 0) {
      for (const id of passedOver) this.release(id);
      return Promise.reject(new NotReachedError());
    }
    const holder = tag === null ? undefined : this.#holders.get(tag);
    if (holder !== undefined) return Promise.resolve({ kind: 'exists', id: holder, node: null });
    // Uses a promise, so that a thrown refusal becomes a rejection.
    return new Promise((resolve) => resolve({ kind: 'begin', id: this.#reserve(tag, apiKey), node: null }));
  }

  release(sessionId: string): void {
    const tag = this.#held.get(sessionId);
    if (typeof tag === 'string') this.#holders.delete(tag);
    this.#held.delete(sessionId);
  }

  /** Resolves at once, because no other machine sends requests for sessions. */
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
