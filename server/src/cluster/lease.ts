import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../platform/clock.js';
import { CodedError } from '../platform/coded-error.js';
import type { Log } from '../platform/log.js';
import type { SignOfLife } from '../sessions/ports.js';
import { NODE_CODE_LENGTH } from '../sessions/session-id.js';
import { inClockTime } from './in-clock-time.js';
import type { KnownNodes } from './known-nodes.js';
import { fenceAfter, renewalInterval, RENEWAL_MS } from './lateness.js';
import type { NodeLife, NodeOffer, NodeRow, NodeStore, TakenUp } from './node-store.js';
import type { Chance } from './retry-after.js';

/** A call of the store that takes longer has failed; the database's own deadline is shorter. */
const CALL_MS = 5_000;
/** Codes that are tried before a join is given up: of 16 million codes hardly one is ever taken. */
const JOIN_TRIES = 8;
/** Nodes of which each looks at all others at every renewal; of more, each looks more seldom, and all together no more often. */
const LOOKS_AT_FULL_PACE = 100;
/** Nodes renew within this part of the interval, so that they do not all come at once after an outage. */
const SPREAD = 0.2;
/** A renewal that was skipped for longer than this many intervals is as good as an outage: this process was stopped. */
const GAP_INTERVALS = 2;

/** What is told about a lease. Nothing that a listener throws stops the renewals. */
export interface LeaseListener {
  /**
   * This life was declared lost while the node was away: takes up what nobody else has taken. Undefined: somebody has joined under the same
   * name. Rejects when that could not be found out; it is asked again then.
   */
  onLost(): Promise<TakenUp | undefined>;
  /** The node goes on in a new life, with what it has taken up. */
  onReturned(taken: TakenUp): void;
  /** Somebody has joined under the same name: this process is no longer that node and must end itself. Once. */
  onSuperseded(): void;
  /** All nodes were looked at. */
  onLook(rows: readonly NodeRow[]): void;
}

/** What a lease needs. */
export interface LeaseParts {
  store: NodeStore;
  known: KnownNodes;
  clock: Clock;
  log: Log;
  name: string;
  /** See `JoiningNode`. */
  home: string;
  secretCheck: string;
  /** What the node offers at this moment. */
  offer: () => NodeOffer;
  /** Names this process, see `Moment`. */
  run?: string;
  chance?: Chance;
}

/** The cluster cannot be joined. */
export class JoinError extends CodedError {
  readonly code = 'err_start';
}

/** This node's membership in its cluster: joins, renews, and leaves. All that has elapsed is measured on the clock that nobody sets. */
export class Lease {
  #life: NodeLife;
  #timer: Timer | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #over = false;
  #nodes = 1;
  #untilLook = 0;
  /** When the last renewal that was granted had been sent. */
  #heldAt: number;
  /** The shortest interval that the database may have noted since then. */
  #promised: number;
  /** Since when no renewal has failed. */
  #steadySince: number | undefined;
  #listener: LeaseListener | undefined;

  private constructor(
    private readonly parts: LeaseParts,
    joined: NodeLife,
    /** The last sign of life of a former process of this name, whose sessions are to be ended in the records; null: none. */
    readonly former: SignOfLife | null,
    sentAt: number,
    interval: number,
  ) {
    this.#life = joined;
    this.#heldAt = sentAt;
    this.#promised = interval;
    this.#steadySince = parts.clock.now();
  }

  /** Joins the cluster. Rejects with {@link JoinError} or `DatabaseError`. */
  static async join(parts: LeaseParts): Promise<Lease> {
    const { store, clock, log, name, home, secretCheck } = parts;
    const interval = RENEWAL_MS;
    // Such nodes would refuse each other's requests, and each other's tokens and profiles.
    if (await inClockTime(clock, store.hasStrangers({ name, secretCheck }), CALL_MS))
      throw new JoinError(
        'Other nodes of this cluster run with another CLUSTER_SECRET. Set the same on all machines; to change it, stop all nodes first.',
      );
    for (let tries = 0; tries < JOIN_TRIES; tries++) {
      const sentAt = clock.now();
      const code = tries === 0 ? usualCode(name) : randomBytes(3).toString('hex');
      const joined = await inClockTime(
        clock,
        store.join({ name, code, home, secretCheck }, parts.offer(), interval),
        CALL_MS,
      );
      if (!joined) continue;
      const life = { code: joined.code, epoch: joined.epoch };
      log.info('joined the cluster', { node: name, ...life });
      return new Lease({ run: randomUUID(), ...parts }, life, joined.unsettled, sentAt, interval);
    }
    throw new JoinError(`No code for the node ${name} was free. Start it again.`);
  }

  /** Begins to renew. Call once. */
  start(listener: LeaseListener): void {
    this.#listener = listener;
    this.#schedule(0);
  }

  /** This life of the node: another one after it was lost and has come back. */
  get life(): NodeLife {
    return this.#life;
  }

  /** Milliseconds since the last renewal that was granted had been sent. */
  get sinceHeld(): number {
    return this.parts.clock.now() - this.#heldAt;
  }

  /** Milliseconds until this node must have ended its tagged sessions; negative when it should have. */
  get untilFence(): number {
    return fenceAfter(this.#promised) - this.sinceHeld;
  }

  /** For how many milliseconds no renewal has failed; 0 when the last one did. What peers are told who ask. */
  get steadyFor(): number {
    return this.#steadySince === undefined ? 0 : this.parts.clock.now() - this.#steadySince;
  }

  /** Milliseconds between renewals, which grow with the number of nodes. */
  get interval(): number {
    return renewalInterval(this.#nodes);
  }

  /** Whether this process is still that node. */
  get over(): boolean {
    return this.#over;
  }

  /** Renews soon, because what the node offers has changed. */
  renewSoon(): void {
    if (this.#listener && !this.#over) this.#schedule(0);
  }

  /** Renews at once; resolves when that has been answered, or has failed. */
  async renewNow(): Promise<void> {
    this.#timer?.cancel();
    this.#renewing = this.#renewing.then(() => this.#renew());
    await this.#renewing;
  }

  /** Stops renewing, and leaves the cluster if the database can be told; others find out by themselves otherwise. */
  async leave(): Promise<void> {
    const superseded = this.#over;
    this.stop();
    await this.#renewing;
    if (superseded) return;
    const { store, clock, log } = this.parts;
    try {
      await inClockTime(clock, store.leave(this.life), CALL_MS);
    } catch (error) {
      log.warn('the database was not told that this node has left', { error });
    }
  }

  /** Stops renewing. Safe to call twice. */
  stop(): void {
    this.#over = true;
    this.#timer?.cancel();
  }

  #schedule(wait: number): void {
    this.#timer?.cancel();
    if (this.#over) return;
    this.#timer = this.parts.clock.setTimeout(() => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    }, wait);
  }

  async #renew(): Promise<void> {
    if (this.#over) return;
    const { log, chance = Math.random } = this.parts;
    try {
      await this.#renewOnce();
      this.#steadySince ??= this.parts.clock.now();
    } catch (error) {
      this.#steadySince = undefined;
      log.warn('the lease could not be renewed', { since: Math.round(this.sinceHeld), error });
    }
    this.#schedule(this.interval * (1 - SPREAD / 2 + SPREAD * chance()));
  }

  async #renewOnce(): Promise<void> {
    const { store, clock, offer, run = '' } = this.parts;
    const { interval } = this;
    const sentAt = clock.now();
    if (sentAt - this.#heldAt > GAP_INTERVALS * interval + CALL_MS) this.#steadySince = undefined;
    this.#promised = Math.min(this.#promised, interval);
    const moment = { run, at: sentAt };
    const answer = await inClockTime(clock, store.renew(this.life, offer(), interval, moment), CALL_MS);
    if (answer === 'superseded' || (answer === 'lost' && !(await this.#comeBack()))) {
      this.#superseded();
      return;
    }
    this.#heldAt = sentAt;
    this.#promised = interval;
    if (this.#untilLook-- <= 0) await this.#look();
  }

  async #look(): Promise<void> {
    const { known, clock, log } = this.parts;
    const rows = await inClockTime(clock, known.refresh(), CALL_MS);
    this.#nodes = Math.max(1, rows.filter(({ state }) => state === 'alive').length);
    this.#untilLook = Math.max(0, Math.ceil(this.#nodes / LOOKS_AT_FULL_PACE) - 1);
    try {
      this.#listener?.onLook(rows);
    } catch (error) {
      log.error('what was seen of the nodes could not be used', { error });
    }
  }

  /** Whether this life goes on. Rejects when that could not be found out. */
  async #comeBack(): Promise<boolean> {
    this.#steadySince = undefined;
    this.parts.log.warn('this node was declared lost while it was away, and takes its sessions up again');
    const taken = await this.#listener?.onLost();
    if (!taken) return false;
    this.#life = taken.life;
    this.#listener?.onReturned(taken);
    return true;
  }

  #superseded(): void {
    if (this.#over) return;
    this.stop();
    const { log, name } = this.parts;
    log.error(
      `Another process has joined the cluster as ${name}. This one ends; give each node a NODE_NAME of its own.`,
      { ...this.life },
    );
    this.#listener?.onSuperseded();
  }
}

/** The code that a node has unless another one has it already: who writes a proxy's table knows it beforehand. */
export function usualCode(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, NODE_CODE_LENGTH);
}
