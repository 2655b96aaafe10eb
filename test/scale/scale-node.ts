import { ClusterPlacement, heldPlace } from '../../server/src/cluster/placement/cluster-placement.js';
import { PlacementReconciler } from '../../server/src/cluster/placement/placement-reconciler.js';
import { Fence } from '../../server/src/cluster/nodes/fence.js';
import { joinAsNode } from '../../server/src/cluster/nodes/join-as-node.js';
import { KnownNodes } from '../../server/src/cluster/nodes/known-nodes.js';
import type { Lease } from '../../server/src/cluster/nodes/lease.js';
import { LostNodes } from '../../server/src/cluster/nodes/lost-nodes.js';
import type { HeldPlace, NodeOffer } from '../../server/src/cluster/nodes/node-store.js';
import type { PlacementRequest } from '../../server/src/sessions/placement/placement.js';
import { FREE } from '../support/cluster-contract.js';
import type { ScaleCluster } from './scale-cluster.js';

/** One node of many, made of the real parts; its sessions are entries of a map. */
export class ScaleNode {
  readonly sessions = new Map<string, HeldPlace>();
  #stops: (() => void)[] = [];

  private constructor(
    readonly name: string,
    readonly lease: Lease,
    readonly placement: ClusterPlacement,
  ) {}

  static async start(name: string, cluster: ScaleCluster, offer: NodeOffer): Promise<ScaleNode> {
    const { clock, memory: store, places, chance, log } = cluster;
    const known = new KnownNodes(store, clock, log);
    const lease = await joinAsNode({
      store,
      known,
      clock,
      log,
      name,
      home: name,
      secretCheck: 'check',
      offer: () => offer,
      run: 'run',
      chance,
    });
    const placement = new ClusterPlacement({
      ...{
        store: places,
        clock,
        log,
        chance,
        incarnation: () => lease.incarnation,
        cannotRenew: () => lease.cannotRenew,
        nodes: () => known.alive,
      },
      limits: { ...FREE, createsPerMinute: cluster.createsPerMinute },
    });
    const node = new ScaleNode(name, lease, placement);
    const sessions = {
      live: () => [...node.sessions.values()],
      end: async (id: string) => cluster.over(id),
      reclaimed: () => undefined,
    };
    const reconciler = new PlacementReconciler({ store, places, lease, sessions, clock, log, chance });
    const lostNodes = new LostNodes({ store, lease, records: cluster, clock, log });
    const fence = new Fence({
      ...{ lease, sessions, clock, log, chance },
      peers: () => known.peersOf(lease.incarnation.code),
      contacts: { connectedFor: async ({ code }) => cluster.connectedFor(code) },
    });
    lease.start({
      onLost: () => reconciler.reclaim(),
      onReturned: (taken) => reconciler.onReturned(taken),
      onSuperseded: () => node.kill(),
      onNodesRead: (rows) => lostNodes.onNodesRead(rows),
    });
    reconciler.start();
    fence.start();
    node.#stops = [() => lease.stop(), () => reconciler.stop(), () => fence.stop()];
    return node;
  }

  /** Its process ends without a word. */
  kill(): void {
    for (const stop of this.#stops) stop();
  }

  hold(id: string, wanted: PlacementRequest): void {
    this.sessions.set(id, heldPlace(id, wanted));
  }
}
