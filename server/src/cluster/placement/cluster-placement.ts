import { randomUUID } from 'node:crypto';
import { pause, type Clock } from '../../platform/time/clock.js';
import { FailureRow } from '../../platform/failure-row.js';
import type { Log } from '../../platform/log.js';
import { secretHash } from '../../platform/secrets.js';
import { ServiceError } from '../../service-error.js';
import { NotReachedError } from '../../sessions/placement/other-nodes.js';
import type { Placed, Placement, PlacementRequest } from '../../sessions/placement/placement.js';
import { nodeCodeOf } from '../../sessions/session-id.js';
import type { HeldPlace, NodeIncarnation } from '../nodes/node-store.js';
import type { PlaceAnswer, PlacementLimits, PlacementStore, PlaceQuery } from './placement-store.js';
import { withClockTimeout } from '../clock-timeout.js';
import { ReleaseQueue } from './release-queue.js';
import { MissingSessions } from './missing-sessions.js';
import { retryAfter, type Chance } from '../retry-after.js';
import { PlacementQueue, type Attempt } from './placement-queue.js';

/** Milliseconds after which a call of the store counts as failed. The store's own deadline is shorter. */
const CALL_MS = 3_000;
/**
 * Age in milliseconds above which an answer of the database must be checked again. This process may have been
 * stopped since the request, and another session may have received the place.
 */
const FRESH_MS = 1_000;
/**
 * Pause in milliseconds before the caller may again look up the place of a session that this node does not
 * run.
 */
const MISSING_PAUSE_MS = 100;
/**
 * Shortest `Retry-After`, in milliseconds. The first is for a cluster without room, the second for a database
 * that cannot be reached.
 */
const BUSY_MS = 5_000;
const DATABASE_MS = 2_000;

/** Dependencies and options of a cluster's placement. */
export interface ClusterPlacementParts {
  store: PlacementStore;
  /** The current incarnation of this node. */
  incarnation: () => NodeIncarnation;
  /** True if this node is late with its lease, because the database does not accept its renewals. */
  cannotRenew: () => boolean;
  limits: PlacementLimits;
  clock: Clock;
  log: Log;
  /** Returns the last known number of live nodes. */
  nodes: () => number;
  chance?: Chance;
}

/** Reserves places for sessions on the nodes of a cluster. */
export class ClusterPlacement implements Placement {
  /** Number of the database's answers since this process started, by the kind of the answer. */
  readonly answers = new Map<PlaceAnswer['kind'], number>();
  readonly #queue: PlacementQueue;
  readonly #releases: ReleaseQueue;
  readonly #missing: MissingSessions;
  /** Failures of statements. During an outage each create request fails, so only the first one is logged. */
  readonly #failures = new FailureRow();

  constructor(private readonly parts: ClusterPlacementParts) {
    const { store, clock, log, nodes, chance } = parts;
    this.#queue = new PlacementQueue(clock, nodes, chance);
    this.#releases = new ReleaseQueue(store, clock, log, () => this.#queue.tryNow(), chance);
    this.#missing = new MissingSessions(clock);
  }

  /** Number of create requests that wait on this node until any node has room. */
  get waiting(): number {
    return this.#queue.length;
  }

  async place(wanted: PlacementRequest, passedOver: readonly string[] = []): Promise<Placed> {
    const { clock } = this.parts;
    await this.#giveBack(passedOver);
    const held = heldPlace('', wanted);
    const avoid = passedOver.map(nodeCodeOf);
    const place: PlaceQuery = { ...held, id: randomUUID(), regions: wanted.regions, avoid };
    let askedAt = clock.now();
    const attempt = async (): Promise<Attempt<PlaceAnswer>> => {
      askedAt = clock.now();
      const result = await this.#ask(place);
      if (result.kind !== 'full') return { room: true, result };
      // A database that accepts no writes still answers. Then all nodes are late, so none has room, and
      // waiting would not help.
      if (this.parts.cannotRenew()) throw new ServiceError('err_database', this.#seconds(DATABASE_MS));
      return { room: false };
    };
    const first = await attempt();
    // Only nodes that did not begin this session have room. A wait helps if there are other live nodes.
    if (!first.room && avoid.length > 0 && this.parts.nodes() <= new Set(avoid).size)
      throw new NotReachedError();
    const answer = first.room ? first.result : await this.#queue.wait(place.apiKey, attempt);
    if (!answer && avoid.length > 0) throw new NotReachedError();
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
    if (this.#missing.isOverdue(sessionId)) this.release(sessionId);
    await pause(this.parts.clock, MISSING_PAUSE_MS);
  }

  /**
   * Returns true if a session that was placed on this node still has its place. The session may have lost the
   * place while this node had no contact with the database. Call this directly before the session begins.
   * Rejects with a {@link ServiceError} if the database does not answer.
   */
  async holds(sessionId: string): Promise<boolean> {
    const { store, clock, incarnation } = this.parts;
    const arrived = this.#missing.orderReceived(sessionId);
    try {
      if (this.#releases.has(sessionId)) return false;
      for (;;) {
        const askedAt = clock.now();
        if (!(await this.#reach(store.holds(sessionId, incarnation())))) return false;
        if (clock.now() - askedAt <= FRESH_MS) return true;
      }
    } finally {
      arrived();
    }
  }

  /** Refuses the create requests that wait for room, because this node stops. Safe to call twice. */
  refuseWaiting(): void {
    this.#queue.close();
  }

  /** Stops the queue. Resolves when the database has received all releases, or when it cannot be reached. */
  async close(): Promise<void> {
    this.#queue.close();
    await this.#releases.close();
  }

  /** Same as {@link holds}, but releases the place if the database does not answer. */
  async #holdsOrReleases(sessionId: string): Promise<boolean> {
    try {
      return await this.holds(sessionId);
    } catch (error) {
      this.release(sessionId);
      throw error;
    }
  }

  /**
   * Releases places. If the database does not answer, the method rejects, and the places are released as soon
   * as the database is reachable.
   */
  async #giveBack(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    try {
      await this.#reach(this.parts.store.release(sessionIds));
    } catch (error) {
      for (const id of sessionIds) this.release(id);
      throw error;
    }
  }

  #ask(query: PlaceQuery): Promise<PlaceAnswer> {
    const call = this.parts.store.place(query, this.parts.limits);
    let late = false;
    // If the answer arrives after the timeout, releases the place that the answer contains, because the
    // caller does not wait any more. `PlacementReconciler` finds places whose answer never arrives.
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
      const result = await withClockTimeout(this.parts.clock, call, CALL_MS);
      this.#failures.succeeded();
      return result;
    } catch (error) {
      if (this.#failures.failed())
        this.parts.log.warn('the database did not answer a placement request', { error });
      throw new ServiceError('err_database', this.#seconds(DATABASE_MS));
    }
  }

  #placed(answer: PlaceAnswer, { regions }: PlacementRequest): Placed {
    const { maxPerKey, maxPerTenant } = this.parts.limits;
    switch (answer.kind) {
      case 'begin':
      case 'exists': {
        const { code, epoch, url, publicUrl } = answer.node;
        const incarnation = this.parts.incarnation();
        const here = code === incarnation.code;
        // Another process has joined under this node's name, and the answer is for that process. This process
        // is ending. It must neither start the session nor report it as missing.
        if (here && epoch !== incarnation.epoch) {
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

/**
 * Returns the place of a session for the database. Keys, tags and tenants are hashed, so that the database
 * can compare them without knowing them.
 */
export function heldPlace(
  sessionId: string,
  { tag, apiKey, tenantId, cost }: Omit<PlacementRequest, 'regions'>,
): HeldPlace {
  return {
    sessionId,
    tag: tag === null ? null : secretHash(tag),
    apiKey: secretHash(apiKey),
    tenant: tenantId === null ? null : secretHash(tenantId),
    cost,
  };
}
