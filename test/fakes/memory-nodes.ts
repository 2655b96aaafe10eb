import type { Clock } from '../../server/src/platform/time/clock.js';
import { lateAfter, lostAfter } from '../../server/src/cluster/nodes/lateness.js';
import {
  NameHeldError,
  type StoredPlacement,
  type HeldPlace,
  type Joined,
  type JoiningNode,
  type NodeIncarnation,
  type NodeOffer,
  type NodeRow,
  type NodeStore,
  type Renewed,
  type ReclaimedPlaces,
} from '../../server/src/cluster/nodes/node-store.js';
import type { LastHeartbeat } from '../../server/src/sessions/ports.js';
import type { Moment } from '../../server/src/sessions/records/session-record.js';

const DAY_MS = 86_400_000;

/** A node in memory. */
export interface MemoryNode extends Omit<NodeRow, 'age'> {
  seenAt: number;
  seen: LastHeartbeat;
  overAt: number;
  home: string;
  secretCheck: string;
  /** Until this time a former process may still run its sessions, so its places are not given away. */
  formerUntil: number;
}

/** A place in memory. */
export interface MemoryPlace extends HeldPlace {
  node: string;
  epoch: number;
  placedAt: number;
}

/** A store of nodes in memory: its clock is the database's. */
export class MemoryNodes implements NodeStore {
  readonly nodes = new Map<string, MemoryNode>();
  readonly places = new Map<string, MemoryPlace>();
  readonly tags = new Map<string, string>();
  #sorted: MemoryNode[] = [];
  readonly #byNode = new Map<string, Set<string>>();
  /** Called before each statement. May throw or never resolve. `row`: the row that the statement changes. */
  onStatement: (name: string, row?: string) => Promise<void> | undefined = () => undefined;

  constructor(readonly clock: Pick<Clock, 'now' | 'date'>) {}

  async join(
    { name, code, home, secretCheck }: JoiningNode,
    offer: NodeOffer,
    interval: number,
  ): Promise<Joined | undefined> {
    await this.onStatement('join', `node ${code}`);
    const old = [...this.nodes.values()].find((node) => node.name === name);
    if (!old && this.nodes.has(code)) return undefined;
    const lateIn = old ? old.seenAt + lateAfter(old.interval) - this.clock.now() : -1;
    if (old?.state === 'alive' && old.home !== home && lateIn >= 0) throw new NameHeldError(old.url, lateIn);
    const unsettled = old?.state === 'alive' ? (old.unsettled ?? old.seen) : (old?.unsettled ?? null);
    const formerUntil = old ? this.#freeFormer(old, home) : -Infinity;
    const joined: MemoryNode = {
      ...{ ...offer, name, interval, unsettled, code: old?.code ?? code, epoch: (old?.epoch ?? 0) + 1 },
      ...{ state: 'alive', usedSessions: old?.usedSessions ?? 0, usedCost: old?.usedCost ?? 0, overAt: 0 },
      ...{ home, secretCheck, formerUntil },
      ...{ seenAt: this.clock.now(), seen: { date: this.clock.date() } },
    };
    this.nodes.set(joined.code, joined);
    return { code: joined.code, epoch: joined.epoch, unsettled };
  }

  async hasOtherSecrets({ name, secretCheck }: Pick<JoiningNode, 'name' | 'secretCheck'>): Promise<boolean> {
    await this.onStatement('strangers');
    const now = this.clock.now();
    const isLive = ({ state, seenAt, interval }: MemoryNode) =>
      state === 'alive' && now - seenAt <= lateAfter(interval);
    const others = [...this.nodes.values()].filter((node) => node.name !== name && isLive(node));
    return others.some((node) => node.secretCheck !== secretCheck);
  }

  async renew(life: NodeIncarnation, offer: NodeOffer, interval: number, moment: Moment): Promise<Renewed> {
    await this.onStatement('renew', `node ${life.code}`);
    const node = this.#life(life);
    if (node?.state === 'lost') return 'lost';
    if (node?.state !== 'alive') return 'superseded';
    const seen = { date: this.clock.date(), moment };
    Object.assign(node, offer, { interval, seen, seenAt: this.clock.now() });
    return 'held';
  }

  async leave(life: NodeIncarnation): Promise<void> {
    await this.onStatement('leave', `node ${life.code}`);
    const node = this.#life(life);
    if (!node) return;
    for (const id of [...(this.#byNode.get(node.code) ?? [])])
      if (!this.isOfFormer(node, this.places.get(id))) this.unbook(id);
    Object.assign(node, { state: 'left', overAt: this.clock.now(), draining: true });
  }

  async list(): Promise<NodeRow[]> {
    await this.onStatement('list');
    return [...this.nodes.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map((node) => this.#row(node));
  }

  async find(code: string): Promise<NodeRow | undefined> {
    await this.onStatement('find');
    const node = this.nodes.get(code);
    return node && this.#row(node);
  }

  async declareLost(life: NodeIncarnation): Promise<LastHeartbeat | undefined> {
    await this.onStatement('lose', `node ${life.code}`);
    const node = this.#life(life);
    if (node?.state !== 'alive' || this.clock.now() - node.seenAt <= lostAfter(node.interval))
      return undefined;
    this.#free(node);
    const unsettled = node.unsettled ?? node.seen;
    Object.assign(node, { state: 'lost', overAt: this.clock.now(), unsettled });
    return unsettled;
  }

  async settled(life: NodeIncarnation): Promise<void> {
    await this.onStatement('settled', `node ${life.code}`);
    const node = this.#life(life);
    if (node) node.unsettled = null;
  }

  async reclaim(life: NodeIncarnation, sessions: readonly HeldPlace[]): Promise<ReclaimedPlaces | undefined> {
    await this.onStatement('take-up', `node ${life.code}`);
    const node = this.#life(life);
    if (!node || node.state === 'left') return undefined;
    if (node.state === 'lost') Object.assign(node, { unsettled: null, epoch: node.epoch + 1 });
    Object.assign(node, { state: 'alive', seenAt: this.clock.now() });
    const isFree = ({ sessionId, tag }: HeldPlace) =>
      !this.places.has(sessionId) && (tag === null || !this.tags.has(tag));
    for (const session of sessions) if (isFree(session)) this.book(node, session);
    const held = sessions.map(({ sessionId }) => sessionId).filter((id) => this.places.has(id));
    return { incarnation: { code: node.code, epoch: node.epoch }, held };
  }

  async newerEpoch({ code, epoch }: NodeIncarnation, home: string): Promise<number | undefined> {
    await this.onStatement('newer');
    const node = this.nodes.get(code);
    const isNewer = node !== undefined && node.epoch > epoch && node.home === home && node.state !== 'left';
    return isNewer ? node.epoch : undefined;
  }

  async placementsOf(code: string): Promise<StoredPlacement[]> {
    await this.onStatement('booked');
    const node = this.nodes.get(code);
    const own = [...(this.#byNode.get(code) ?? [])].filter(
      (id) => !node || !this.isOfFormer(node, this.places.get(id)),
    );
    return own.map((sessionId) => ({
      sessionId,
      age: this.clock.now() - (this.places.get(sessionId)?.placedAt ?? 0),
    }));
  }

  async forget(): Promise<void> {
    await this.onStatement('forget');
    const oldest = this.clock.now() - DAY_MS;
    for (const [code, node] of this.nodes)
      if (node.state !== 'alive' && node.overAt < oldest && !node.unsettled) this.nodes.delete(code);
  }

  /** Adds a place and counts its resources. */
  book(node: MemoryNode, session: HeldPlace): void {
    const { code, epoch } = node;
    this.places.set(session.sessionId, { ...session, node: code, epoch, placedAt: this.clock.now() });
    if (session.tag !== null) this.tags.set(session.tag, session.sessionId);
    this.#byNode.set(code, (this.#byNode.get(code) ?? new Set()).add(session.sessionId));
    node.usedSessions += 1;
    node.usedCost += session.cost;
  }

  /** Removes a place and its resources. */
  unbook(sessionId: string): void {
    const place = this.places.get(sessionId);
    if (!place) return;
    this.places.delete(sessionId);
    if (place.tag !== null) this.tags.delete(place.tag);
    this.#byNode.get(place.node)?.delete(sessionId);
    const node = this.nodes.get(place.node);
    if (!node) return;
    node.usedSessions -= 1;
    node.usedCost -= place.cost;
  }

  /** Returns true if a former process of the node may still run the session of a place. */
  isOfFormer({ epoch, formerUntil }: MemoryNode, place: MemoryPlace | undefined): boolean {
    return place !== undefined && place.epoch < epoch && formerUntil > this.clock.now();
  }

  /** Frees places that no former process can still use. Returns the end of the time in which one may run. */
  #freeFormer(old: MemoryNode, home: string): number {
    const lostAt = old.seenAt + lostAfter(old.interval);
    const mayRun = old.state === 'alive' && old.home !== home && lostAt > this.clock.now();
    for (const id of [...(this.#byNode.get(old.code) ?? [])]) {
      const place = this.places.get(id);
      const stays = place?.epoch === old.epoch ? mayRun : this.isOfFormer(old, place);
      if (!stays) this.unbook(id);
    }
    return mayRun ? lostAt : old.formerUntil;
  }

  #free(node: MemoryNode): void {
    for (const id of [...(this.#byNode.get(node.code) ?? [])]) this.unbook(id);
  }

  #life({ code, epoch }: NodeIncarnation): MemoryNode | undefined {
    const node = this.nodes.get(code);
    return node?.epoch === epoch ? node : undefined;
  }

  /** Field by field: simulations read millions of them. */
  #row(node: MemoryNode): NodeRow {
    const { code, epoch, name, state, url, publicUrl, mode, regions, sessionRoom, costRoom } = node;
    const { draining, headroom, interval, usedSessions, usedCost, unsettled } = node;
    const age = this.clock.now() - node.seenAt;
    // prettier-ignore
    return { code, epoch, name, state, url, publicUrl, mode, regions, sessionRoom, costRoom, draining, headroom, interval, usedSessions, usedCost, unsettled, age };
  }
}
