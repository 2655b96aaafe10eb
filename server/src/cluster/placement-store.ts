import type { Region } from '../sessions/settings/region.js';
import type { NodeLife } from './node-store.js';

/** A place that is asked for. Hashes tell keys, tags and tenants apart without telling what they are. */
export interface PlaceWanted {
  /** A random UUID. The session's id is this with the code of its node in front. */
  id: string;
  tag: string | null;
  apiKey: string;
  tenant: string | null;
  /** Empty: any. */
  regions: readonly Region[];
  /** Pixels times frames a second. */
  cost: number;
  /** Codes of nodes that it is not given to. */
  avoid: readonly string[];
}

/** What holds for all nodes together. */
export interface PlacementLimits {
  /** Sessions that each API key may begin in a minute, on all nodes. */
  createsPerMinute: number;
  /** Sessions that each API key may have at once; null: any number. */
  maxPerKey: number | null;
  /** Likewise for each tenant. */
  maxPerTenant: number | null;
}

/** A node as it stands in an answer: a life, and where it is. */
export interface PlacedNode extends NodeLife {
  url: string;
  publicUrl: string;
}

/** What became of a {@link PlaceWanted}. `wait`: milliseconds. */
export type PlaceAnswer =
  /** The place is reserved. */
  | { kind: 'begin'; id: string; node: PlacedNode }
  /** A session with the tag has a place. */
  | { kind: 'exists'; id: string; node: PlacedNode }
  /** The tag's owner is late: it may be running its session, and may not. */
  | { kind: 'tag_busy'; wait: number }
  /** The key begins sessions too fast. */
  | { kind: 'too_fast'; wait: number }
  | { kind: 'key_limit' }
  | { kind: 'tenant_limit' }
  /** No live node serves such a region; `served`: those that are served. */
  | { kind: 'no_region'; served: readonly Region[] }
  /** No live node has room. */
  | { kind: 'full' };

/**
 * The places of sessions on nodes, kept where all nodes see the same. Each call takes effect as a whole or not at all. Rejects with
 * `DatabaseError`, after which it may have taken effect all the same.
 */
export interface PlacementStore {
  /** Reserves a place on the least used live node with room: by the larger of its share of sessions and its share of cost. */
  place(wanted: PlaceWanted, limits: PlacementLimits): Promise<PlaceAnswer>;
  /** Frees places. Ids that hold none are passed over. */
  release(sessionIds: readonly string[]): Promise<void>;
  /** Whether a session holds a place in this life of its node. */
  holds(sessionId: string, life: NodeLife): Promise<boolean>;
}

/** A row of the database takes at most so many updates in a second from here. */
const CREATES_A_MINUTE_PER_ROW = 1_200;

/**
 * In how many rows the creates of a key are counted. Every create of a key updates its row, and updates of one row wait for each other; with
 * a row for each 20 creates a second none of them gets hot. Each row has its share of the rate, so together they never let more
 * begin than the rate says; when all rows have less than one create left, up to one less for each row but the first: 4 of 6,000.
 */
export function rateRows(createsPerMinute: number): number {
  return Math.max(1, Math.ceil(createsPerMinute / CREATES_A_MINUTE_PER_ROW));
}
