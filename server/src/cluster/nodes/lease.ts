import type { Clock } from '../../platform/time/clock.js';
import { FailureRow } from '../../platform/failure-row.js';
import type { Log } from '../../platform/log.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { LastHeartbeat } from '../../sessions/ports.js';
import { withClockTimeout } from '../clock-timeout.js';
import type { KnownNodes } from './known-nodes.js';
import { fenceAfter, lateAfter, renewalInterval, RENEWAL_MS } from './lateness.js';
import type { NodeIncarnation, NodeOffer, NodeRow, NodeStore, ReclaimedPlaces } from './node-store.js';
import type { Chance } from '../retry-after.js';

/** Milliseconds after which a call of the store counts as failed. The deadline of `Database` is shorter. */
export const CALL_MS = 5_000;
/**
 * Number of nodes up to which each node reads all other nodes at every renewal. In a larger cluster, each
 * node reads less often. So a larger cluster does not send more reads a second than a cluster of this size.
 */
const LOOKS_AT_FULL_PACE = 100;
/**
 * Share of the interval over which renewals are spread, so that nodes do not all renew at once after an
 * outage.
 */
const SPREAD = 0.2;
/**
 * If the last successful renewal is older than this many intervals plus {@link CALL_MS}, this interruption
 * counts as a loss of contact with the database. Probably this process was stopped.
 */
const GAP_INTERVALS = 2;

/** Listener for the events of a lease. Errors that it throws do not stop the renewals. */
export interface LeaseListener {
  /**
   * Called when this incarnation was declared lost while the node could not renew. Continues the sessions
   * whose tags no other session has. Resolves to undefined if another process has joined under the same name.
   * Rejects if the result is unknown. The lease then calls this function again after a later renewal.
   */
  onLost(): Promise<ReclaimedPlaces | undefined>;
  /** Called when the node continues in a new incarnation, with the sessions that it kept. */
  onReturned(taken: ReclaimedPlaces): void;
  /**
   * Called once, when another process has joined under the same name. This process is no longer that node and
   * must end itself.
   */
  onSuperseded(): void;
  /** Called after all nodes were read. */
  onNodesRead(rows: readonly NodeRow[]): void;
}

/** Dependencies and options of a lease. */
export interface LeaseParts {
  store: NodeStore;
  known: KnownNodes;
  clock: Clock;
  log: Log;
  name: string;
  /** See `JoiningNode`. */
  home: string;
  /** Returns the current offer of the node. */
  offer: () => NodeOffer;
  /** Id of this process, see `Moment`. */
  run: string;
  chance?: Chance;
}

/**
 * Lease of this node in its cluster. `joinAsNode` returns it, and this class renews it and leaves. All
 * durations are measured on the monotonic clock.
 */
export class Lease {
  #incarnation: NodeIncarnation;
  readonly #renewals: Repetition;
  #over = false;
  #nodes = 1;
  #untilLook = 0;
  /** Moment at which the last successful renewal was sent. */
  #heldAt: number;
  /** Shortest of the renewal intervals that this node has sent to the database since {@link #heldAt}. */
  #promised = RENEWAL_MS;
  /** Moment since which no renewal has failed. Undefined after a failure. */
  #steadySince: number | undefined;
  /** Failures of renewals. Only the first of several in a row is logged. */
  readonly #failures = new FailureRow();
  #listener: LeaseListener | undefined;
  /**
   * True if the result of the last {@link #comeBack} is unknown. The database may have begun a new
   * incarnation of this node.
   */
  #isUnsure = false;

  /** @param sentAt moment at which the join was sent */
  constructor(
    private readonly parts: LeaseParts,
    joined: NodeIncarnation,
    sentAt: number,
    /**
     * Last heartbeat of an earlier process with this name, if the records of its sessions must still be
     * marked as ended. Otherwise null.
     */
    readonly previousHeartbeat: LastHeartbeat | null,
  ) {
    this.#incarnation = joined;
    this.#heldAt = sentAt;
    this.#steadySince = parts.clock.now();
    const { clock, chance = Math.random } = parts;
    const every = () => this.interval * (1 - SPREAD / 2 + SPREAD * chance());
    this.#renewals = repeat(clock, { every, first: Infinity }, () => this.#renew());
  }

  /** Begins to renew. Call once. */
  start(listener: LeaseListener): void {
    this.#listener = listener;
    this.#renewals.runIn(0);
  }

  /** The current incarnation of the node. It changes when the node comes back after it was lost. */
  get incarnation(): NodeIncarnation {
    return this.#incarnation;
  }

  /** Milliseconds since the last successful renewal was sent. */
  get sinceHeld(): number {
    return this.parts.clock.now() - this.#heldAt;
  }

  /**
   * True if the last renewal has failed, and this node has not renewed for so long that other nodes see it as
   * late. A node that is late because its process was stopped renews soon.
   */
  get cannotRenew(): boolean {
    return this.#failures.isFailing && this.sinceHeld > lateAfter(this.#promised);
  }

  /**
   * Milliseconds until this node must end its tagged sessions if it stays cut off. Negative if this time has
   * passed.
   */
  get untilFence(): number {
    return fenceAfter(this.#promised) - this.sinceHeld;
  }

  /**
   * Milliseconds for which no renewal has failed. 0 if the last renewal failed. Peers receive this value on
   * request.
   */
  get connectedFor(): number {
    return this.#steadySince === undefined ? 0 : this.parts.clock.now() - this.#steadySince;
  }

  /** Milliseconds between renewals. The interval grows with the number of nodes. */
  get interval(): number {
    return renewalInterval(this.#nodes);
  }

  /**
   * True if this process has stopped renewing, for example because another process has taken the node's name.
   */
  get over(): boolean {
    return this.#over;
  }

  /** Renews soon, because the node's offer has changed. */
  renewSoon(): void {
    if (this.#listener) this.#renewals.runIn(0);
  }

  /** Renews at once. Resolves when the renewal has succeeded or failed. */
  async renewNow(): Promise<void> {
    await this.#renewals.runNow();
  }

  /**
   * Stops renewing, and leaves the cluster if the database is reachable. Otherwise the other nodes notice the
   * missing renewals.
   */
  async leave(): Promise<void> {
    const superseded = this.#over;
    this.stop();
    await this.#renewals.finished();
    if (superseded) return;
    const { store, clock, log } = this.parts;
    try {
      await withClockTimeout(clock, store.leave(this.incarnation), CALL_MS);
    } catch (error) {
      log.warn('could not record in the database that this node has left', { error });
    }
  }

  /** Stops renewing. Safe to call twice. */
  stop(): void {
    this.#over = true;
    this.#renewals.stop();
  }

  async #renew(): Promise<void> {
    try {
      await this.#renewOnce();
      this.#steadySince ??= this.parts.clock.now();
      if (this.#failures.succeeded() && !this.#over) this.parts.log.info('the lease is renewed again');
    } catch (error) {
      this.#steadySince = undefined;
      const since = Math.round(this.sinceHeld);
      if (this.#failures.failed()) this.parts.log.warn('the lease could not be renewed', { since, error });
    }
  }

  async #renewOnce(): Promise<void> {
    const { store, clock, offer, run } = this.parts;
    const { interval } = this;
    const sentAt = clock.now();
    if (sentAt - this.#heldAt > GAP_INTERVALS * interval + CALL_MS) this.#steadySince = undefined;
    this.#promised = Math.min(this.#promised, interval);
    const moment = { run, at: sentAt };
    const answer = await withClockTimeout(
      clock,
      store.renew(this.incarnation, offer(), interval, moment),
      CALL_MS,
    );
    const returns = answer === 'lost' || (answer === 'held' && this.#isUnsure);
    if (answer === 'superseded' || (returns && !(await this.#comeBack()))) {
      if (!(await this.#findNewer())) this.#superseded();
      return;
    }
    this.#heldAt = sentAt;
    this.#promised = interval;
    if (this.#untilLook-- <= 0) await this.#look();
  }

  async #look(): Promise<void> {
    const { known, clock, log } = this.parts;
    const rows = await withClockTimeout(clock, known.refresh(), CALL_MS);
    this.#nodes = Math.max(1, rows.filter(({ state }) => state === 'alive').length);
    this.#untilLook = Math.max(0, Math.ceil(this.#nodes / LOOKS_AT_FULL_PACE) - 1);
    try {
      this.#listener?.onNodesRead(rows);
    } catch (error) {
      log.error('could not handle the nodes that were read', { error });
    }
  }

  /** Returns true if the node continues in a new incarnation. Rejects if that is unknown. */
  async #comeBack(): Promise<boolean> {
    this.#steadySince = undefined;
    this.parts.log.warn(
      'this node was declared lost while it could not reach the database, and continues its sessions',
    );
    let taken: ReclaimedPlaces | undefined;
    try {
      taken = await this.#listener?.onLost();
    } catch (error) {
      this.#isUnsure = true;
      throw error;
    }
    if (!taken) return false;
    this.#isUnsure = false;
    this.#incarnation = taken.incarnation;
    this.#listener?.onReturned(taken);
    return true;
  }

  /**
   * Returns true if an earlier {@link #comeBack} has begun a new incarnation in the database, although its
   * result did not arrive here. The next renewal continues this incarnation. No other process can have begun
   * it, because only this process has this home.
   */
  async #findNewer(): Promise<boolean> {
    if (!this.#isUnsure) return false;
    const { store, clock, home } = this.parts;
    const epoch = await withClockTimeout(clock, store.newerEpoch(this.#incarnation, home), CALL_MS);
    if (epoch === undefined) return false;
    this.#incarnation = { ...this.#incarnation, epoch };
    return true;
  }

  #superseded(): void {
    if (this.#over) return;
    this.stop();
    const { log, name } = this.parts;
    log.error(
      `Another process has joined the cluster as ${name}. This process ends. Give each node its own NODE_NAME.`,
      { ...this.incarnation },
    );
    this.#listener?.onSuperseded();
  }
}
