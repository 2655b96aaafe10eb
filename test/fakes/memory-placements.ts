import { lateAfter, lostAfter } from '../../server/src/cluster/nodes/lateness.js';
import type { NodeIncarnation } from '../../server/src/cluster/nodes/node-store.js';
import {
  rateRows,
  type PlaceAnswer,
  type PlacementLimits,
  type PlacementStore,
  type PlaceQuery,
} from '../../server/src/cluster/placement/placement-store.js';
import { NODE_CODE_LENGTH } from '../../server/src/sessions/session-id.js';
import type { MemoryNode, MemoryNodes, MemoryPlace } from './memory-nodes.js';

interface RateRow {
  tokens: number;
  filledAt: number;
}

/** A store of places in memory, beside the nodes that they are on. */
export class MemoryPlacements implements PlacementStore {
  readonly #rates = new Map<string, RateRow[]>();

  constructor(
    private readonly memory: MemoryNodes,
    private readonly chance: () => number = Math.random,
  ) {}

  async place(wanted: PlaceQuery, limits: PlacementLimits): Promise<PlaceAnswer> {
    await this.memory.onStatement('place');
    const { memory } = this;
    const now = memory.clock.now();
    const { tag, apiKey, tenant, regions } = wanted;
    const holder = this.#holder(tag);
    if (holder) {
      const node = memory.nodes.get(holder.node)!;
      const age = now - node.seenAt;
      if (node.state === 'alive' && age > lateAfter(node.interval))
        return { kind: 'tag_busy', wait: Math.max(1000, lostAfter(node.interval) - age) };
      if (memory.isOfFormer(node, holder))
        return { kind: 'tag_busy', wait: Math.max(1000, node.formerUntil - now) };
      return { kind: 'exists', id: holder.sessionId, node: placed(node) };
    }
    const { maxPerKey, maxPerTenant, createsPerMinute } = limits;
    const count = (key: 'apiKey' | 'tenant', value: string) =>
      [...memory.places.values()].filter((place) => place[key] === value).length;
    if (maxPerKey !== null && count('apiKey', apiKey) >= maxPerKey) return { kind: 'key_limit' };
    if (maxPerTenant !== null && tenant !== null && count('tenant', tenant) >= maxPerTenant)
      return { kind: 'tenant_limit' };

    const share = createsPerMinute / rateRows(createsPerMinute);
    const rates = this.#filled(apiKey, rateRows(createsPerMinute), share);
    const [rate] = [...rates].sort((a, b) => b.tokens - a.tokens);
    if (!rate || rate.tokens < 1)
      return { kind: 'too_fast', wait: ((1 - (rate?.tokens ?? 0)) * 60_000) / share };

    const node = this.#leastUsed(wanted, now);
    if (!node) {
      const alive = [...memory.nodes.values()].filter(({ state }) => state === 'alive');
      const served = [...new Set(alive.flatMap((one) => one.regions))].sort();
      if (regions.length > 0 && !regions.some((region) => served.includes(region)))
        return { kind: 'no_region', served };
      return { kind: 'full' };
    }
    const id = node.code + wanted.id.slice(NODE_CODE_LENGTH);
    void memory.onStatement('', `node ${node.code}`);
    void memory.onStatement('', `rate ${apiKey} ${rates.indexOf(rate)}`);
    memory.book(node, { sessionId: id, tag, apiKey, tenant, cost: wanted.cost });
    rate.tokens -= 1;
    return { kind: 'begin', id, node: placed(node) };
  }

  async release(sessionIds: readonly string[]): Promise<void> {
    for (const code of new Set(sessionIds.map((id) => id.slice(0, NODE_CODE_LENGTH))))
      await this.memory.onStatement('release', `node ${code}`);
    for (const id of sessionIds) this.memory.unbook(id);
  }

  async holds(sessionId: string, { code, epoch }: NodeIncarnation): Promise<boolean> {
    await this.memory.onStatement('holds');
    const place = this.memory.places.get(sessionId);
    return place?.node === code && place.epoch === epoch;
  }

  /** Returns the place with a tag. Frees it first if its node is gone and its process cannot run any more. */
  #holder(tag: string | null): MemoryPlace | undefined {
    const { memory } = this;
    const holder = tag === null ? undefined : memory.places.get(memory.tags.get(tag) ?? '');
    const node = holder && memory.nodes.get(holder.node)!;
    if (!node || node.state === 'alive' || memory.isOfFormer(node, holder)) return holder;
    memory.unbook(holder.sessionId);
    return undefined;
  }

  #filled(apiKey: string, rows: number, share: number): RateRow[] {
    const now = this.memory.clock.now();
    const rates =
      this.#rates.get(apiKey) ?? Array.from({ length: rows }, () => ({ tokens: share, filledAt: now }));
    this.#rates.set(apiKey, rates);
    for (const rate of rates) {
      rate.tokens = Math.min(share, rate.tokens + ((now - rate.filledAt) * share) / 60_000);
      rate.filledAt = now;
    }
    return rates;
  }

  #leastUsed({ regions, cost, avoid }: PlaceQuery, now: number): MemoryNode | undefined {
    let best: MemoryNode | undefined;
    let least = Infinity;
    let ties = 0;
    for (const node of this.memory.nodes.values()) {
      const live = node.state === 'alive' && now - node.seenAt <= lateAfter(node.interval);
      if (!live || node.draining || !node.headroom || avoid.includes(node.code)) continue;
      if (regions.length > 0 && !node.regions.some((region) => regions.includes(region))) continue;
      if (node.usedSessions >= node.sessionRoom || node.usedCost + cost > node.costRoom) continue;
      const use = Math.max(
        (node.usedSessions + 1) / node.sessionRoom,
        (node.usedCost + cost) / node.costRoom,
      );
      ties = use === least ? ties + 1 : use < least ? 1 : ties;
      if (use < least || (use === least && this.chance() * ties < 1)) {
        best = node;
        least = use;
      }
    }
    return best;
  }
}

function placed({ code, epoch, url, publicUrl }: MemoryNode) {
  return { code, epoch, url, publicUrl };
}
