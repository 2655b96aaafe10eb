import type { NodeOffer } from '../../server/src/cluster/nodes/node-store.js';
import { createLog } from '../../server/src/platform/log.js';
import type { PlacementRequest } from '../../server/src/sessions/placement/placement.js';
import { nodeCodeOf } from '../../server/src/sessions/session-id.js';
import { MemoryNodes } from '../fakes/memory-nodes.js';
import { MemoryPlacements } from '../fakes/memory-placements.js';
import { offer } from '../support/cluster-contract.js';
import { seeded } from '../support/seeded.js';
import { Counted } from './counted.js';
import { EventClock } from './event-clock.js';
import { ScaleNode } from './scale-node.js';

/** A usual session: 1280 × 720 pixels, 24 times a second. */
export const USUAL_COST = 1280 * 720 * 24;
/** Round-trip time of a statement. Milliseconds. */
const DATABASE_MS = 3;

/**
 * Many nodes in one process. Their database counts its statements. Their clock passes hours within seconds.
 */
export class ScaleCluster {
  readonly clock = new EventClock();
  readonly counted = new Counted(this.clock);
  readonly memory = new MemoryNodes(this.clock);
  readonly log = createLog('silent', () => undefined);
  readonly chance = seeded(1);
  readonly places = new MemoryPlacements(this.memory, this.chance);
  readonly nodes = new Map<string, ScaleNode>();
  /** The same, to draw one of. */
  #doors: ScaleNode[] = [];
  /** Duration of each create in milliseconds, and the number of refused ones. */
  readonly waits: number[] = [];
  refused = 0;
  databaseGone = false;
  #tags = 0;

  constructor(readonly createsPerMinute = 60_000) {
    this.memory.onStatement = (name, row) => {
      this.counted.note(name, row);
      if (name === '') return undefined;
      if (this.databaseGone) return Promise.reject(new Error('gone'));
      return this.clock.wait(DATABASE_MS);
    };
  }

  /** Starts nodes, as a rolling start does: some each second. */
  async start(count: number, sessionRoom: number, changes: Partial<NodeOffer> = {}): Promise<void> {
    const costRoom = sessionRoom * USUAL_COST;
    for (let index = 0; index < count; index++) {
      const starting = ScaleNode.start(`node-${index}`, this, offer({ sessionRoom, costRoom, ...changes }));
      void starting.then((node) => {
        this.nodes.set(node.lease.incarnation.code, node);
        this.#doors.push(node);
      });
      await this.clock.pass(4);
    }
    await this.clock.pass(1_000);
  }

  /**
   * A create through any node. Sessions live as long as an exponential distribution of this mean has it; 0:
   * for good.
   */
  async create(meanSeconds = 0, changes: Partial<PlacementRequest> = {}): Promise<string | undefined> {
    const node = this.#doors[Math.floor(this.chance() * this.#doors.length)];
    const wanted = { tag: null, apiKey: 'key', tenantId: null, regions: [], cost: USUAL_COST, ...changes };
    const from = this.clock.now();
    try {
      const { id } = await node!.placement.place(wanted);
      this.waits.push(this.clock.now() - from);
      this.nodes.get(nodeCodeOf(id))?.hold(id, wanted);
      void this.#record(id);
      if (meanSeconds > 0)
        this.clock.setTimeout(() => this.over(id), -Math.log(1 - this.chance()) * meanSeconds * 1000);
      return id;
    } catch {
      this.refused += 1;
      return undefined;
    }
  }

  /** Creates so many sessions, quickly. */
  async fill(sessions: number, meanSeconds = 0, tagged = 0): Promise<void> {
    for (let index = 0; index < sessions; index++) {
      const tag = this.chance() < tagged ? `tag-${(this.#tags += 1)}` : null;
      void this.create(meanSeconds, { tag, apiKey: `key-${index % 500}` });
      if (index % 100 === 0) await this.clock.pass(10);
    }
    await this.clock.pass(2_000);
  }

  /** Lets time pass with so many creates a second. */
  async run(seconds: number, createsPerSecond: number, meanSeconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      for (let index = 0; index < createsPerSecond; index++)
        this.clock.setTimeout(() => void this.create(meanSeconds), this.chance() * 1000);
      await this.clock.pass(1_000);
    }
  }

  over(id: string): void {
    const node = this.nodes.get(nodeCodeOf(id));
    if (!node?.sessions.delete(id)) return;
    node.placement.release(id);
    void this.#record(id);
  }

  /** The process of a node ends without a word. */
  kill(code: string): void {
    this.nodes.get(code)?.kill();
    this.nodes.delete(code);
    this.#doors = [...this.nodes.values()];
  }

  connectedFor(code: string): number {
    const node = this.nodes.get(code);
    if (!node) throw new Error('no such node');
    return node.lease.connectedFor;
  }

  close(): void {
    for (const node of this.nodes.values()) node.kill();
  }

  async unfinishedOf(): Promise<[]> {
    await this.memory.onStatement('records');
    return [];
  }

  async saveFor(): Promise<boolean> {
    await this.memory.onStatement('records');
    return true;
  }

  /** Writes the records of a session's start and end. */
  async #record(id: string): Promise<void> {
    await this.memory.onStatement('records', `record ${id}`)?.catch(() => undefined);
  }
}
