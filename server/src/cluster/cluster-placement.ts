import { randomUUID } from 'node:crypto';
import { pause, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { secretHash } from '../platform/secrets.js';
import { ServiceError } from '../service-error.js';
import { NotReachedError } from '../sessions/other-nodes.js';
import type { Placed, Placement, Wanted } from '../sessions/placement.js';
import { nodeCodeOf } from '../sessions/session-id.js';
import type { HeldPlace, NodeLife } from './node-store.js';
import type { PlaceAnswer, PlacementLimits, PlacementStore, PlaceWanted } from './placement-store.js';
import { inClockTime } from './in-clock-time.js';
import { ReleaseQueue } from './release-queue.js';
import { Missing } from './missing.js';
import { retryAfter, type Chance } from './retry-after.js';
import { WaitingLine, type Attempt } from './waiting-line.js';

/** The store's own deadline is shorter. */
const CALL_MS = 3_000;
/** An answer that is older may no longer hold: this process was stopped meanwhile. Somebody else may have been given the place since. */
const FRESH_MS = 1_000;
/** Before a place is looked at again whose session is not there. */
const MISSING_PAUSE_MS = 100;
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
  readonly #missing: Missing;

  constructor(private readonly parts: ClusterPlacementParts) {
    const { store, clock, log, nodes, chance } = parts;
    this.#line = new WaitingLine(clock, nodes, chance);
    this.#releases = new ReleaseQueue(store, clock, log, () => this.#line.tryNow(), chance);
    this.#missing = new Missing(clock);
  }

  /** How many creates wait for room on this node. */
  get waiting(): number {
    return this.#line.length;
  }

  async place(wanted: Wanted, unreached: readonly string[] = []): Promise<Placed> {
    const { clock } = this.parts;
    await this.#giveBack(unreached);
    const held = heldPlace('', wanted);
    const avoid = unreached.map(nodeCodeOf);
    const place: PlaceWanted = { ...held, id: randomUUID(), regions: wanted.regions, avoid };
    let askedAt = clock.now();
    const attempt = async (): Promise<Attempt<PlaceAnswer>> => {
      askedAt = clock.now();
      const result = await this.#ask(place);
      return result.kind === 'full' ? { room: false } : { room: true, result };
    };
    const first = await attempt();
    if (!first.room && avoid.length > 0) throw new NotReachedError();
    const answer = first.room ? first.result : await this.#line.wait(place.apiKey, attempt);
    if (!answer) throw new ServiceError('err_busy', this.#seconds(BUSY_MS));
    const placed = this.#placed(answer, wanted);
    const here = placed.kind === 'begin' && placed.node === null;
    if (here && clock.now() - askedAt > FRESH_MS && !(await this.#holdsOrReleases(placed.id)))
      throw new ServiceError('err_busy', this.#seconds(BUSY_MS));
    return placed;
  }

  release(sessionId: string): void {
    this.#releases.add(sessionId);
  }

  async missing(sessionId: string): Promise<void> {
    if (this.#missing.neverComes(sessionId)) this.release(sessionId);
    await pause(this.parts.clock, MISSING_PAUSE_MS);
  }

  /**
   * Whether a session that has been placed here still has its place: this node may have been away since. To be begun at once. Rejects with a
   * {@link ServiceError} when that cannot be found out.
   */
  async holds(sessionId: string): Promise<boolean> {
    const { store, clock, life } = this.parts;
    const arrived = this.#missing.arrives(sessionId);
    try {
      if (this.#releases.has(sessionId)) return false;
      for (;;) {
        const askedAt = clock.now();
        if (!(await this.#reach(store.holds(sessionId, life())))) return false;
        if (clock.now() - askedAt <= FRESH_MS) return true;
      }
    } finally {
      arrived();
    }
  }

  /** Lets nobody wait any more; resolves when the database has heard what is free, or cannot hear it. */
  async close(): Promise<void> {
    this.#line.close();
    await this.#releases.close();
  }

  /** As {@link holds}; a place of which that cannot be found out is given back. */
  async #holdsOrReleases(sessionId: string): Promise<boolean> {
    try {
      return await this.holds(sessionId);
    } catch (error) {
      this.release(sessionId);
      throw error;
    }
  }

  /** Gives places back at once, or else as soon as the database hears it. */
  async #giveBack(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    try {
      await this.#reach(this.parts.store.release(sessionIds));
    } catch (error) {
      for (const id of sessionIds) this.release(id);
      throw error;
    }
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
        const { code, epoch, url, publicUrl } = answer.node;
        const life = this.parts.life();
        const here = code === life.code;
        // It is another process's that has taken the name: this one ends, and must neither begin that session nor miss it.
        if (here && epoch !== life.epoch) {
          if (answer.kind === 'begin') this.release(answer.id);
          throw new ServiceError('err_unavailable');
        }
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
