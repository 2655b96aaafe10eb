import type { Region } from '../../create-fields/values/region.js';
import type { NodeIncarnation } from '../nodes/node-store.js';

/** Request for a place. Hashes identify keys, tags and tenants without revealing them. */
export interface PlaceQuery {
  /**
   * A random UUID. The session's id is this UUID, but its first digits are replaced by the code of the
   * session's node.
   */
  id: string;
  tag: string | null;
  apiKey: string;
  tenant: string | null;
  /** Empty: any region. */
  regions: readonly Region[];
  /** Pixels times frames a second. */
  cost: number;
  /** Codes of nodes that must not get the session. */
  avoid: readonly string[];
}

/** Limits for all nodes together. */
export interface PlacementLimits {
  /** Sessions that each API key may begin per minute, on all nodes. */
  createsPerMinute: number;
  /** Sessions that each API key may have at the same time. Null: no limit. */
  maxPerKey: number | null;
  /** Sessions that each tenant may have at the same time. Null: no limit. */
  maxPerTenant: number | null;
}

/** A node in an answer: its incarnation and its addresses. */
export interface PlacedNode extends NodeIncarnation {
  url: string;
  publicUrl: string;
}

/** Answer to a {@link PlaceQuery}. `wait`: milliseconds. */
export type PlaceAnswer =
  /** The place is reserved. */
  | { kind: 'begin'; id: string; node: PlacedNode }
  /** A session with the tag has a place. */
  | { kind: 'exists'; id: string; node: PlacedNode }
  /**
   * The node of the session with this tag is late or was replaced. It is unknown if the session still runs.
   */
  | { kind: 'tag_busy'; wait: number }
  /** The key begins sessions too fast. */
  | { kind: 'too_fast'; wait: number }
  | { kind: 'key_limit' }
  | { kind: 'tenant_limit' }
  /** No live node serves a requested region. `served`: regions that are served. */
  | { kind: 'no_region'; served: readonly Region[] }
  /** No live node has room. */
  | { kind: 'full' };

/**
 * Places of sessions on nodes, stored where all nodes see the same data. Each call takes effect completely or
 * not at all. Rejects with `DatabaseError`. A call that rejects may still have taken effect.
 */
export interface PlacementStore {
  /**
   * Reserves a place on the live node with the lowest use. The use of a node is the larger of two shares:
   * used sessions and used cost.
   */
  place(query: PlaceQuery, limits: PlacementLimits): Promise<PlaceAnswer>;
  /** Frees places. Ids without a place are ignored. */
  release(sessionIds: readonly string[]): Promise<void>;
  /** Returns true if a session holds a place in this incarnation of its node. */
  holds(sessionId: string, incarnation: NodeIncarnation): Promise<boolean>;
}

/** Updates per minute that one row of the table `create_rates` can handle. */
const CREATES_A_MINUTE_PER_ROW = 1_200;

/**
 * Returns the number of rows that count the create requests of an API key. Every request updates a row, and
 * updates of one row wait for each other. With one row for each 20 requests a second, the updates of a row do
 * not have to wait long. Each row gets a share of the allowed rate, so all rows together never allow more
 * than that rate. Each row allows only whole requests, so the total can be lower than the rate. For example,
 * a limit of 5,999 gives five rows a share of 1,199.8, and they allow only 5,995 requests.
 */
export function rateRows(createsPerMinute: number): number {
  return Math.max(1, Math.ceil(createsPerMinute / CREATES_A_MINUTE_PER_ROW));
}
