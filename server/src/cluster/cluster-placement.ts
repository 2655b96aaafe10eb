import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { secretHash } from '../platform/secrets.js';
import { ServiceError } from '../service-error.js';
import type { Placed, Placement, Wanted } from '../sessions/placement.js';
import type { HeldPlace, NodeLife } from './node-store.js';
import type { PlaceAnswer, PlacementLimits, PlacementStore, PlaceWanted } from './placement-store.js';
import { inClockTime } from './in-clock-time.js';
import { ReleaseQueue } from './release-queue.js';
import { retryAfter, type Chance } from './retry-after.js';
import { WaitingLine, type Attempt } from './waiting-line.js';

/** The store's own deadline is shorter. */
const CALL_MS = 3_000;
/** What a create that found no room, or no database, is told to wait at least. */
const BUSY_MS = 5_000;
const DATABASE_MS = 2_000;

/** What a placement of a cluster needs. */
export interface ClusterPlacementParts {
  store: PlacementStore;
  /** This life of this node. */
  life: () => NodeLife;
  limits: PlacementLimits;
  clock: Clock;
  log: Log;
  /** How many live nodes there are, as far as is known. */
  nodes: () => number;
  chance?: Chance;
}

/** Finds the places of sessions among all nodes of a cluster. */
export class ClusterPlacement implements Placement {
  /** What the database has answered, by kind: how often since the start. */
  readonly answers = new Map<PlaceAnswer['kind'], number>();
  readonly #line: WaitingLine;
  readonly #releases: ReleaseQueue;

  constructor(private readonly parts: ClusterPlacementParts) {
    const { store, clock, log, nodes, chance } = parts;
    this.#line = new WaitingLine(clock, nodes, chance);
    this.#releases = new ReleaseQueue(store, clock, log, () => this.#line.tryNow(), chance);
  }

  /** How many creates wait for room on this node. */
  get waiting(): number {
    return this.#line.length;
  }

  async place(wanted: Wanted): Promise<Placed> {
    const held = heldPlace('', wanted);
    const place: PlaceWanted = { ...held, id: randomUUID(), regions: wanted.regions };
    const attempt = async (): Promise<Attempt<PlaceAnswer>> => {
      const result = await this.#ask(place);
      return result.kind === 'full' ? { room: false } : { room: true, result };
    };
    const first = await attempt();
    const answer = first.room ? first.result : await this.#line.wait(place.apiKey, attempt);
    if (!answer) throw new ServiceError('err_busy', this.#seconds(BUSY_MS));
    return this.#placed(answer, wanted);
  }

  release(sessionId: string): void {
    this.#releases.add(sessionId);
  }

  /**
   * Whether a session that another node has placed here still has its place: this node may have been away since. Rejects with a
   * {@link ServiceError} when that cannot be found out.
   */
  holds(sessionId: string): Promise<boolean> {
    return this.#reach(this.parts.store.holds(sessionId, this.parts.life()));
  }

  /** Lets nobody wait any more; resolves when the database has heard what is free, or cannot hear it. */
  async close(): Promise<void> {
    this.#line.close();
    await this.#releases.close();
  }

  #ask(wanted: PlaceWanted): Promise<PlaceAnswer> {
    const call = this.parts.store.place(wanted, this.parts.limits);
    let late = false;
    // What is answered when nobody waits any more is given back; what is never answered is found by `Custody`.
    call.then(
      (answer) => {
        this.answers.set(answer.kind, (this.answers.get(answer.kind) ?? 0) + 1);
        if (late && answer.kind === 'begin') this.release(answer.id);
      },
      () => undefined,
    );
    return this.#reach(call).catch((error: unknown) => {
      late = true;
      throw error;
    });
  }

  async #reach<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await inClockTime(this.parts.clock, call, CALL_MS);
    } catch (error) {
      this.parts.log.warn('the database has not answered where a session may run', { error });
      throw new ServiceError('err_database', this.#seconds(DATABASE_MS));
    }
  }

  #placed(answer: PlaceAnswer, { regions }: Wanted): Placed {
    const { maxPerKey, maxPerTenant } = this.parts.limits;
    switch (answer.kind) {
      case 'begin':
      case 'exists': {
        const { code, url, publicUrl } = answer.node;
        const here = code === this.parts.life().code;
        return { kind: answer.kind, id: answer.id, node: here ? null : { code, url, publicUrl } };
      }
      case 'tag_busy':
        throw new ServiceError('err_tag_busy', this.#seconds(Math.min(answer.wait, BUSY_MS)));
      case 'too_fast':
        throw new ServiceError('err_too_many_requests', Math.max(1, Math.ceil(answer.wait / 1000)));
      case 'key_limit':
        throw new ServiceError('err_exceeded_vm_limit', maxPerKey ?? 0, 'this key', 'MAX_SESSIONS_PER_KEY');
      case 'tenant_limit':
        throw new ServiceError(
          'err_exceeded_vm_limit',
          maxPerTenant ?? 0,
          'this tenant',
          'MAX_SESSIONS_PER_TENANT',
        );
      case 'no_region':
        throw new ServiceError('err_region_unavailable', regions.join(', '), answer.served.join(', '));
      case 'full':
        throw new ServiceError('err_busy', this.#seconds(BUSY_MS));
    }
  }

  #seconds(wait: number): number {
    return retryAfter(wait, this.parts.chance ?? Math.random);
  }
}

/** What stands in the books of a session: keys, tags and tenants as hashes, which tell them apart and nothing else. */
export function heldPlace(
  sessionId: string,
  { tag, apiKey, tenantId, cost }: Omit<Wanted, 'regions'>,
): HeldPlace {
  return {
    sessionId,
    tag: tag === null ? null : secretHash(tag),
    apiKey: secretHash(apiKey),
    tenant: tenantId === null ? null : secretHash(tenantId),
    cost,
  };
}
