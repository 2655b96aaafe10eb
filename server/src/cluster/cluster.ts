import { createHmac } from 'node:crypto';
import type { Database } from '../database/database.js';
import type { Clock } from '../platform/time/clock.js';
import type { Log } from '../platform/log.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import type { LastHeartbeat } from '../sessions/ports.js';
import type { NodeSummary } from '../sessions/placement/nodes.js';
import type { SessionRecord } from '../sessions/records/session-record.js';
import { nodeCodeOf } from '../sessions/session-id.js';
import type { Region } from '../create-fields/values/region.js';
import { ClusterPlacement } from './placement/cluster-placement.js';
import { ClusterTime } from './cluster-time.js';
import { PlacementReconciler } from './placement/placement-reconciler.js';
import { Fence } from './nodes/fence.js';
import { joinAsNode } from './nodes/join-as-node.js';
import { KnownNodes, type KnownNode } from './nodes/known-nodes.js';
import type { Lease } from './nodes/lease.js';
import { LostNodes, type RecordsOfNodes } from './nodes/lost-nodes.js';
import type { ClusterMode, NodeIncarnation, NodeOffer } from './nodes/node-store.js';
import { ClusterSessions, type LocalSessionService } from './cluster-sessions.js';
import type { ReachedNode } from './peers/node-directory.js';
import { PeerNodes } from './peers/peer-nodes.js';
import { PeerSeal } from './peers/peer-seal.js';
import { PostgresNodeStore } from './nodes/postgres-node-store.js';
import { PostgresPlacementStore } from './placement/postgres-placement-store.js';
import type { PlacementLimits } from './placement/placement-store.js';

/** Interval at which this node removes the rows of nodes that left or were lost long ago. */
const FORGET_INTERVAL_MS = 3_600_000;

/** Dependencies and options of a node in a cluster. */
export interface ClusterParts {
  database: Database;
  /** Secret that all nodes share. */
  secret: Uint8Array;
  /** Name of this node, unique in the cluster. */
  name: string;
  /** Home of the process, see `JoiningNode`. */
  home: string;
  /** Address for other nodes, without a trailing slash. */
  url: string;
  /** Address for viewers, without a trailing slash. */
  publicUrl: string;
  mode: ClusterMode;
  regions: readonly Region[];
  /**
   * Limits of this node: the number of sessions at the same time, and the sum of their costs. The cost of a
   * session is its pixels times its frames a second.
   */
  sessionRoom: number;
  costRoom: number;
  limits: PlacementLimits;
  /** True if the machine has resources for one more session, and starts of sessions do not fail on it. */
  headroom: () => boolean;
  /** Id of this process, see `Moment`. */
  run: string;
  clock: Clock;
  log: Log;
  /** Called when another process has joined under this name. This process must then end. */
  onSuperseded: () => void;
}

/**
 * This node's membership in a cluster. {@link join} joins and returns an instance. {@link start} begins to
 * renew the node's lease and to reconcile the placements of its sessions.
 */
export class Cluster {
  readonly placement: ClusterPlacement;
  readonly otherNodes: PeerNodes;
  readonly sessions = new ClusterSessions(() => this.#own);
  readonly #reconciler: PlacementReconciler;
  readonly #fence: Fence;
  #forgetting: Repetition | undefined;
  #drained = false;
  #sessions: LocalSessionService | undefined;
  #lost: LostNodes | undefined;

  private constructor(
    private readonly parts: ClusterParts,
    private readonly store: PostgresNodeStore,
    private readonly known: KnownNodes,
    private readonly lease: Lease,
    private readonly time: ClusterTime,
    private readonly offer: NodeOffer,
  ) {
    const { database, secret, limits, clock, log } = parts;
    const { incarnation } = lease;
    const places = new PostgresPlacementStore(database);
    this.placement = new ClusterPlacement({
      ...{ store: places, limits, clock, log },
      incarnation: () => lease.incarnation,
      cannotRenew: () => lease.cannotRenew,
      nodes: () => known.alive,
    });
    const seal = new PeerSeal(
      secret,
      () => incarnation.code,
      () => time.now(),
    );
    const find = (code: string) => known.find(code).then((node) => node && reachedNode(node));
    this.otherNodes = new PeerNodes({ nodes: { code: incarnation.code, find }, seal, clock });
    const { sessions } = this;
    this.#reconciler = new PlacementReconciler({ store, places, lease, sessions, clock, log });
    this.#fence = new Fence({
      ...{ lease, sessions, clock, log },
      peers: () => known.peersOf(lease.incarnation.code),
      contacts: this.otherNodes,
    });
  }

  /** Joins the cluster. Rejects with `JoinError`, `NameTakenError` or `DatabaseError`. */
  static async join(parts: ClusterParts): Promise<Cluster> {
    const { database, clock, log, run, name, home, url, publicUrl } = parts;
    const { mode, regions, sessionRoom, costRoom } = parts;
    const store = new PostgresNodeStore(database);
    const known = new KnownNodes(store, clock, log);
    const time = await ClusterTime.open(database, clock);
    const offer: NodeOffer = {
      ...{ url, publicUrl, mode, regions, sessionRoom, costRoom },
      // The node is marked as draining until it listens for requests. Before that, a request to start a
      // session could not reach it.
      ...{ draining: true, headroom: true },
    };
    const current = () => ({ ...offer, headroom: parts.headroom() });
    const secretCheck = createHmac('sha256', parts.secret).update('check').digest('hex').slice(0, 32);
    try {
      const lease = await joinAsNode({
        ...{ store, known, clock, log, run, name, home, secretCheck },
        offer: current,
      });
      try {
        await known.refresh();
      } catch (error) {
        await lease.leave();
        throw error;
      }
      return new Cluster(parts, store, known, lease, time, offer);
    } catch (error) {
      time.stop();
      throw error;
    }
  }

  /** The current incarnation of the node: its code and its epoch. */
  get incarnation(): NodeIncarnation {
    return this.lease.incarnation;
  }

  /**
   * Last heartbeat of an earlier process with this name, if the records of its sessions must still be marked
   * as ended. Otherwise null.
   */
  get previousHeartbeat(): LastHeartbeat | null {
    return this.lease.previousHeartbeat;
  }

  /** Regions that live nodes serve. If no live node is known, the regions of this node. */
  get regions(): readonly Region[] {
    const { regions } = this.known;
    return regions.length > 0 ? regions : this.parts.regions;
  }

  /** True if another process has taken this node's name, or this process has left the cluster. */
  get isOver(): boolean {
    return this.lease.over;
  }

  /** Milliseconds for which no renewal of the lease has failed. 0 if the last renewal failed. */
  get connectedFor(): number {
    return this.lease.connectedFor;
  }

  /** Milliseconds since this node last renewed its lease. */
  get sinceRenewal(): number {
    return this.lease.sinceHeld;
  }

  /** True if the database does not accept the renewals of this node's lease. No session begins on it. */
  get cannotRenew(): boolean {
    return this.lease.cannotRenew;
  }

  /** All nodes, as this node knows them. */
  get nodes(): readonly KnownNode[] {
    return this.known.all;
  }

  /** All nodes, for operators. */
  get summaries(): readonly NodeSummary[] {
    return this.known.all.map((node) => summaryOf(node, this.incarnation.code));
  }

  /**
   * Returns the address at which viewers reach a session. In the mode `gateway` this is the address of this
   * node, otherwise the address of the session's node. If the session's node is unknown, returns the address
   * of this node.
   */
  publicUrlOf(sessionId: string): string {
    const { mode, publicUrl } = this.parts;
    const code = nodeCodeOf(sessionId);
    if (mode === 'gateway' || code === this.incarnation.code) return publicUrl;
    return this.known.get(code)?.publicUrl ?? publicUrl;
  }

  /**
   * Begins to renew the lease. Call it once, after the records of sessions of earlier processes were marked
   * as ended.
   */
  async start(sessions: LocalSessionService, records: RecordsOfNodes): Promise<void> {
    const { clock, log } = this.parts;
    this.#sessions = sessions;
    const onEnded = (record: SessionRecord) => sessions.reportEnd(record);
    const lost = new LostNodes({ store: this.store, lease: this.lease, records, onEnded, clock, log });
    this.#lost = lost;
    if (this.previousHeartbeat) await this.store.settled(this.incarnation);
    this.lease.start({
      onLost: () => this.#reconciler.reclaim(),
      onReturned: (taken) => this.#reconciler.onReturned(taken),
      onSuperseded: () => this.parts.onSuperseded(),
      onNodesRead: (rows) => lost.onNodesRead(rows),
    });
    this.#reconciler.start();
    this.#fence.start();
    this.#forgetRegularly();
  }

  /**
   * Accepts sessions from now on. Resolves when the database has stored this change, or when the database
   * cannot be reached.
   */
  async accept(): Promise<void> {
    if (this.#drained) return;
    this.offer.draining = false;
    await this.lease.renewNow();
  }

  /** Stops accepting sessions. New sessions go to other nodes. */
  drain(): void {
    this.#drained = true;
    this.offer.draining = true;
    this.lease.renewSoon();
  }

  /**
   * Makes the lease report a change of this node's offer (its state and capacity) to the other nodes soon.
   */
  offerChanged(): void {
    this.lease.renewSoon();
  }

  /** Leaves the cluster. Call it when no session runs any more and all records are saved. */
  async close(): Promise<void> {
    this.#forgetting?.stop();
    this.#reconciler.stop();
    this.#fence.stop();
    await this.#lost?.close();
    await this.placement.close();
    await this.lease.leave();
    this.time.stop();
    this.otherNodes.close();
  }

  get #own(): LocalSessionService {
    if (!this.#sessions) throw new Error('The cluster was not started.');
    return this.#sessions;
  }

  #forgetRegularly(): void {
    const { clock, log } = this.parts;
    const onError = (error: unknown) =>
      log.warn('could not remove nodes that left or were lost long ago', { error });
    this.#forgetting = repeat(clock, { every: FORGET_INTERVAL_MS, onError }, () => this.store.forget());
  }
}

function summaryOf({ age, readAgo, ...node }: KnownNode, own: string): NodeSummary {
  const { name, code, condition, url, publicUrl, mode, regions, draining, headroom } = node;
  return {
    ...{ name, code, condition, own: code === own, url, publicUrl, mode, regions, draining, headroom },
    ...{ sessions: node.usedSessions, sessionRoom: node.sessionRoom },
    ...{ cost: node.usedCost, costRoom: node.costRoom },
    leaseAge: age + readAgo,
  };
}

const GONE: ReadonlySet<KnownNode['condition']> = new Set(['lost', 'left']);

function reachedNode({ code, url, publicUrl, condition }: KnownNode): ReachedNode {
  const address = { code, url, publicUrl };
  if (GONE.has(condition)) return { address, state: 'gone' };
  return { address, state: condition === 'late' ? 'late' : 'alive' };
}
