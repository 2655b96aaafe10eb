import { ClusterPlacement, heldPlace } from '../../server/src/cluster/placement/cluster-placement.js';
import {
  PlacementReconciler,
  type NodeEndReason,
  type LocalSessions,
} from '../../server/src/cluster/placement/placement-reconciler.js';
import { Fence } from '../../server/src/cluster/nodes/fence.js';
import { joinAsNode } from '../../server/src/cluster/nodes/join-as-node.js';
import { KnownNodes } from '../../server/src/cluster/nodes/known-nodes.js';
import type { Lease } from '../../server/src/cluster/nodes/lease.js';
import { LostNodes } from '../../server/src/cluster/nodes/lost-nodes.js';
import type { HeldPlace, NodeOffer } from '../../server/src/cluster/nodes/node-store.js';
import type { Clock, Timer } from '../../server/src/platform/time/clock.js';
import { createLog } from '../../server/src/platform/log.js';
import { endedByKill } from '../../server/src/sessions/records/recovery.js';
import type { PlacementRequest } from '../../server/src/sessions/placement/placement.js';
import { FREE, offer } from './cluster-contract.js';
import type { SimulatedCluster } from './simulated-cluster.js';

/** Maximal number of placements of a create while the session with its tag is ending. */
const MAX_PLACEMENTS = 20;

/** One process of a node: the real code of `cluster/`, with sessions that are entries of a map. */
export class SimulatedNode implements LocalSessions {
  readonly sessions = new Map<string, HeldPlace>();
  readonly ends: { id: string; why: NodeEndReason }[] = [];
  readonly tookUpIds: string[] = [];
  /** True while its process runs. */
  alive = true;
  superseded = false;
  /** True while the node cannot reach the database. */
  cutOffDatabase = false;
  cutOffPeers = false;
  lease!: Lease;
  known!: KnownNodes;
  placement!: ClusterPlacement;
  readonly #held: (() => void)[] = [];
  #frozen = false;
  #stops: (() => void)[] = [];

  private constructor(
    readonly name: string,
    readonly cluster: SimulatedCluster,
    private readonly nodeOffer: NodeOffer,
  ) {}

  static async start(
    name: string,
    cluster: SimulatedCluster,
    changes: Partial<NodeOffer> = {},
  ): Promise<SimulatedNode> {
    const node = new SimulatedNode(name, cluster, offer({ url: name, publicUrl: name, ...changes }));
    await node.#join();
    return node;
  }

  /** Suspends the process until {@link thaw}, as SIGSTOP does. */
  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    for (const run of this.#held.splice(0)) run();
  }

  /** Ends the process, as SIGKILL does. */
  kill(): void {
    this.alive = false;
    for (const id of this.sessions.keys()) this.cluster.ended(id);
    this.sessions.clear();
    for (const stop of this.#stops) stop();
  }

  /** Creates a session for a client of this node. Returns its id or the reason of the refusal. */
  async create(wanted: PlacementRequest): Promise<string> {
    for (let tries = 0; tries < MAX_PLACEMENTS; tries++) {
      const { kind, id, node } = await this.placement.place(wanted);
      const owner = node ? this.cluster.reach(this, node.url) : this;
      await this.cluster.hop();
      if (!this.alive) throw new Error('killed');
      if (kind === 'begin') {
        if (node && !(await owner.placement.holds(id))) throw new Error('too late');
        owner.begin(id, wanted);
      }
      await this.cluster.hop();
      if (owner.alive && owner.sessions.has(id)) return id;
    }
    throw new Error('unavailable');
  }

  begin(id: string, wanted: PlacementRequest): void {
    if (!this.alive) throw new Error('killed');
    this.sessions.set(id, heldPlace(id, wanted));
    this.cluster.begun(id, this, wanted.tag);
  }

  /** Ends a session as its users do. */
  over(id: string): void {
    if (!this.sessions.delete(id)) return;
    this.cluster.ended(id);
    this.placement.release(id);
  }

  live(): readonly HeldPlace[] {
    return [...this.sessions.values()];
  }

  async end(id: string, why: NodeEndReason): Promise<void> {
    this.ends.push({ id, why });
    this.over(id);
  }

  reclaimed(ids: readonly string[]): void {
    this.tookUpIds.push(...ids);
    for (const id of ids) this.cluster.reopened(id);
  }

  /** The process's clock. Nothing runs while the process is stopped or after it was killed. */
  get clock(): Clock {
    const { clock } = this.cluster;
    return {
      now: () => clock.now(),
      date: () => clock.date(),
      setTimeout: (run, milliseconds): Timer => {
        let over = false;
        const once = () => {
          if (over || !this.alive) return;
          if (this.#frozen) this.#held.push(once);
          else run();
        };
        const timer = clock.setTimeout(once, milliseconds);
        const cancel = () => {
          over = true;
          timer.cancel();
        };
        return { cancel };
      },
    };
  }

  /** Resolves when this process runs. */
  running(): Promise<void> {
    if (!this.alive) return new Promise(() => undefined);
    return this.#frozen ? new Promise((resolve) => this.#held.push(resolve)) : Promise.resolve();
  }

  async #join(): Promise<void> {
    const { cluster, name, clock } = this;
    const log = createLog('info', (line) => cluster.lines.push(line));
    const { store, places } = cluster.storesOf(this);
    this.known = new KnownNodes(store, clock, log);
    const chance = cluster.chance;
    const lease = await joinAsNode({
      ...{ store, known: this.known, clock, log, name, home: name, secretCheck: 'check', run: 'run', chance },
      offer: () => this.nodeOffer,
    });
    this.lease = lease;
    if (lease.previousHeartbeat) {
      for (const record of await cluster.unfinishedOf(lease.incarnation.code))
        cluster.records.set(record.id, endedByKill(record, lease.previousHeartbeat));
      await store.settled(lease.incarnation);
    }
    const incarnation = () => lease.incarnation;
    const limits = { ...FREE, createsPerMinute: 60_000 };
    this.placement = new ClusterPlacement({
      ...{ store: places, cannotRenew: () => lease.cannotRenew, incarnation, limits, clock, log, chance },
      nodes: () => this.known.all.length,
    });
    const reconciler = new PlacementReconciler({ store, places, lease, sessions: this, clock, log, chance });
    const lostNodes = new LostNodes({ store, lease, records: cluster, clock, log });
    const peers = () =>
      this.known.all.filter(({ code, state }) => code !== lease.incarnation.code && state === 'alive');
    const voices = {
      connectedFor: async ({ url }: { url: string }) => cluster.reach(this, url).lease.connectedFor,
    };
    const fence = new Fence({ lease, peers, contacts: voices, sessions: this, clock, log, chance });
    lease.start({
      onLost: () => reconciler.reclaim(),
      onReturned: (taken) => reconciler.onReturned(taken),
      onSuperseded: () => {
        this.superseded = true;
        this.kill();
      },
      onNodesRead: (rows) => lostNodes.onNodesRead(rows),
    });
    reconciler.start();
    fence.start();
    this.#stops = [() => lease.stop(), () => reconciler.stop(), () => fence.stop()];
  }
}
