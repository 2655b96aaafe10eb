import { CodedError } from '../../platform/coded-error.js';
import type { LastHeartbeat } from '../../sessions/ports.js';
import type { Moment } from '../../sessions/records/session-record.js';
import type { Region } from '../../create-fields/values/region.js';

/**
 * Mode in which viewers reach sessions of a node: `direct` at its own public address, `gateway` through any
 * node.
 */
export type ClusterMode = 'direct' | 'gateway';

/**
 * State of a node.
 * - `alive`: it renews its lease, or is late but was not declared lost.
 * - `lost`: another node declared it lost, and its sessions ended.
 * - `left`: it ended properly.
 */
export type NodeState = 'alive' | 'lost' | 'left';

/**
 * Offer of a node to its cluster: its addresses, its capacity and its state. Every renewal contains the
 * offer.
 */
export interface NodeOffer {
  /** Address for other nodes, without a trailing slash. */
  url: string;
  /** Address for viewers, without a trailing slash. */
  publicUrl: string;
  mode: ClusterMode;
  regions: readonly Region[];
  /** Sessions that the node may run at the same time. */
  sessionRoom: number;
  /** Highest total cost of its sessions, in pixels times frames a second. */
  costRoom: number;
  /** True if the node accepts no new sessions, and ends after its last session. */
  draining: boolean;
  /**
   * False while the node's memory or processor is exhausted, or while sessions fail to start on it. Then the
   * node gets no new sessions.
   */
  headroom: boolean;
}

/** One incarnation of a node. It begins when the node joins, or returns after it was declared lost. */
export interface NodeIncarnation {
  /** Six lower-case hexadecimal digits, unique. The code stays the same while the node's row is kept. */
  code: string;
  /**
   * Number that increases with every incarnation. Writes with an older epoch come from an earlier
   * incarnation.
   */
  epoch: number;
}

/** A process that joins. */
export interface JoiningNode {
  name: string;
  /** Code that the node gets if the database has no row for its name yet. */
  code: string;
  /**
   * Name of a resource that only one process at a time can have: the locked state directory. So if a process
   * joins with the same home, the earlier process has ended.
   */
  home: string;
  /** A value that differs if the secrets of two nodes differ. It reveals nothing about the secret. */
  secretCheck: string;
}

/**
 * Another process uses the name of the joining node. That process has another home, and its lease is not
 * late.
 */
export class NameHeldError extends CodedError {
  readonly code = 'err_node_name_held';

  constructor(
    /** Address of that process for other nodes. */
    readonly url: string,
    /** Milliseconds until that process's lease is late, if the process does not renew it. */
    readonly lateIn: number,
  ) {
    super(`The process at ${url} uses the name.`);
  }
}

/** Result of a join. */
export interface Joined extends NodeIncarnation {
  /**
   * Last heartbeat of an earlier process with this name, if the records of its sessions may still be
   * unfinished.
   */
  unsettled: LastHeartbeat | null;
}

/**
 * Result of a renewal.
 * - `held`: the lease continues.
 * - `lost`: this incarnation was declared lost in the meantime, and nothing was renewed.
 * - `superseded`: another process has joined under the same name, or the row is gone. This process must end
 *   itself.
 */
export type Renewed = 'held' | 'lost' | 'superseded';

/** A node in the database. */
export interface NodeRow extends NodeIncarnation, NodeOffer {
  name: string;
  state: NodeState;
  /** Milliseconds since its last heartbeat, by the database's clock. */
  age: number;
  /** Milliseconds between two renewals, as the node announced them. */
  interval: number;
  /** Sessions that hold a place on the node, and their total cost. */
  usedSessions: number;
  usedCost: number;
  /**
   * Last heartbeat of a lost or earlier incarnation, if some records of its sessions are not marked as ended
   * yet. Otherwise null.
   */
  unsettled: LastHeartbeat | null;
}

/**
 * A session that holds a place on a node. A place is the capacity that the cluster reserves for one session.
 */
export interface HeldPlace {
  sessionId: string;
  /** `tag`, `apiKey` and `tenant` are hashes, see `PlaceQuery`. Null: no tag. */
  tag: string | null;
  apiKey: string;
  tenant: string | null;
  /** Pixels times frames a second. */
  cost: number;
}

/** Places of a node after {@link NodeStore.reclaim}. */
export interface ReclaimedPlaces {
  incarnation: NodeIncarnation;
  /** Ids of the given sessions that hold a place now. */
  held: string[];
}

/** A session with a placement on a node. */
export interface StoredPlacement {
  sessionId: string;
  /** Milliseconds since it was placed. */
  age: number;
}

/**
 * Nodes of a cluster, stored where all nodes see the same data. The store uses its own clock to decide if a
 * node is late, so the clocks of the nodes do not matter. All methods reject with `DatabaseError` if the
 * database fails.
 */
export interface NodeStore {
  /**
   * Begins an incarnation of the node with this name: in a new row, or in its existing row with a raised
   * epoch. The places of its earlier incarnation become free at once if that incarnation was lost, has left
   * or had the same home. Otherwise they become free when the earlier process releases them, or when its
   * lease is so late that the process counts as lost. Resolves to undefined if another node has the code, or
   * if another process has just taken the name. In both cases the caller must join again with another code.
   * Rejects with {@link NameHeldError} while a process with another home holds the name with a lease that is
   * not late.
   */
  join(joining: JoiningNode, offer: NodeOffer, interval: number): Promise<Joined | undefined>;
  /** Returns true if another live node has joined with a different secret. Late nodes do not count. */
  hasOtherSecrets(joining: Pick<JoiningNode, 'name' | 'secretCheck'>): Promise<boolean>;
  /**
   * Renews the lease. `interval`: announced milliseconds between two renewals. `moment`: time on the node's
   * own clock.
   */
  renew(incarnation: NodeIncarnation, offer: NodeOffer, interval: number, moment: Moment): Promise<Renewed>;
  /** Records that the node has ended properly. Its row is kept, and its places become free. */
  leave(incarnation: NodeIncarnation): Promise<void>;
  /** Returns all nodes, in the order of their names. */
  list(): Promise<NodeRow[]>;
  /** Returns the node with a code. Undefined if there is none. */
  find(code: string): Promise<NodeRow | undefined>;
  /**
   * Declares an incarnation lost if its lease is still so late that it may be declared lost. Its places
   * become free. Only the caller whose call declared it lost receives its last heartbeat. Other callers
   * receive undefined.
   */
  declareLost(incarnation: NodeIncarnation): Promise<LastHeartbeat | undefined>;
  /** Records that all session records of a finished incarnation are marked as ended. */
  settled(incarnation: NodeIncarnation): Promise<void>;
  /**
   * Reserves places for the given sessions again, except for sessions whose tags another session has. If the
   * node was declared lost, it continues in a new incarnation. So writes of other nodes for the lost
   * incarnation have no effect. Resolves to undefined if another process has joined under the name, or if the
   * node has left.
   */
  reclaim(incarnation: NodeIncarnation, sessions: readonly HeldPlace[]): Promise<ReclaimedPlaces | undefined>;
  /**
   * Returns the epoch of the node's current incarnation if it is newer than the given one and has this home.
   * Otherwise resolves to undefined.
   */
  newerEpoch(incarnation: NodeIncarnation, home: string): Promise<number | undefined>;
  /**
   * Returns the sessions that hold places on a node. Leaves out sessions that an earlier process with the
   * node's name may still run.
   */
  placementsOf(code: string): Promise<StoredPlacement[]>;
  /** Removes nodes that were lost or left more than a day ago, if nothing refers to them. */
  forget(): Promise<void>;
}
