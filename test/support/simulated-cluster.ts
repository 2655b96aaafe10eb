import type { NodeIncarnation, NodeOffer, NodeStore } from '../../server/src/cluster/nodes/node-store.js';
import type { PlacementStore } from '../../server/src/cluster/placement/placement-store.js';
import type { SessionRecord } from '../../server/src/sessions/records/session-record.js';
import { nodeCodeOf } from '../../server/src/sessions/session-id.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { MemoryNodes } from '../fakes/memory-nodes.js';
import { MemoryPlacements } from '../fakes/memory-placements.js';
import { pass } from './passing.js';
import { SimulatedNode } from './simulated-node.js';

/** Lifetime of a session on the cluster's clock. `until` is Infinity while it lives. */
export interface Life {
  id: string;
  tag: string | null;
  node: SimulatedNode;
  from: number;
  until: number;
}

/** A cluster in one process: the real code of leases and placement, a store in memory, and a manual clock. */
export class SimulatedCluster {
  readonly clock = new ManualClock();
  readonly memory = new MemoryNodes(this.clock);
  readonly lives = new Map<string, Life>();
  readonly records = new Map<string, SessionRecord>();
  readonly lines: string[] = [];
  readonly processes: SimulatedNode[] = [];
  /** True if the database is unreachable for all nodes. */
  databaseGone = false;
  readonly #places: MemoryPlacements;

  /** @param chance the same numbers give the same history */
  constructor(readonly chance: () => number = Math.random) {
    this.#places = new MemoryPlacements(this.memory, chance);
  }

  async start(name: string, changes: Partial<NodeOffer> = {}): Promise<SimulatedNode> {
    const starting = SimulatedNode.start(name, this, changes);
    await pass(this.clock, 50, 5);
    const node = await starting;
    this.processes.push(node);
    return node;
  }

  pass(milliseconds: number, step?: number): Promise<void> {
    return pass(this.clock, milliseconds, step);
  }

  /** Ends every process. */
  close(): void {
    for (const process of this.processes) process.kill();
  }

  /** Waits for a network delay of some milliseconds. */
  hop(): Promise<void> {
    return new Promise((resolve) => void this.clock.setTimeout(resolve, 1 + Math.floor(this.chance() * 5)));
  }

  /** Returns the process at an address. Throws if it does not answer. */
  reach(from: SimulatedNode, url: string): SimulatedNode {
    const node = this.processes.findLast(({ name, alive }) => name === url && alive);
    if (!node || node.cutOffPeers || from.cutOffPeers) throw new Error(`${url} does not answer`);
    return node;
  }

  /** The store as one process sees it. Its network may fail before or after a statement. */
  storesOf(node: SimulatedNode): { store: NodeStore; places: PlacementStore } {
    return { store: this.#over(node, this.memory), places: this.#over(node, this.#places) };
  }

  begun(id: string, node: SimulatedNode, tag: string | null): void {
    this.lives.set(id, { id, tag, node, from: this.clock.now(), until: Infinity });
    const settings = {} as SessionRecord['settings'];
    const begun = { run: 'run', at: this.clock.now() };
    this.records.set(id, { id, generation: 1, settings, createdAt: this.clock.date().toISOString(), begun });
  }

  ended(id: string): void {
    const life = this.lives.get(id);
    if (life && life.until === Infinity) life.until = this.clock.now();
  }

  /** Its record is marked as running again. */
  reopened(id: string): void {
    const { ended: _, ...record } = this.records.get(id) ?? ({} as SessionRecord);
    this.records.set(id, record);
  }

  async unfinishedOf(code: string): Promise<SessionRecord[]> {
    return [...this.records.values()].filter(({ id, ended }) => nodeCodeOf(id) === code && !ended);
  }

  async saveFor({ code, epoch }: NodeIncarnation, record: SessionRecord): Promise<boolean> {
    if ((this.memory.nodes.get(code)?.epoch ?? 0) > epoch) throw new Error('the node is back');
    const isFirst = !this.records.get(record.id)?.ended;
    this.records.set(record.id, record);
    return isFirst;
  }

  #over<Store extends object>(node: SimulatedNode, store: Store): Store {
    return new Proxy(store, {
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          await this.#reach(node);
          const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
          const answer = await method.apply(target, args);
          await this.#reach(node);
          await node.running();
          return answer;
        },
    });
  }

  async #reach(node: SimulatedNode): Promise<void> {
    await this.hop();
    if (!node.alive) await new Promise(() => undefined);
    if (node.cutOffDatabase || this.databaseGone) throw new Error('the database cannot be reached');
  }
}
