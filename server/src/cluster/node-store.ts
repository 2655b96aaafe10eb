import type { SignOfLife } from '../sessions/ports.js';
import type { Moment } from '../sessions/session-record.js';
import type { Region } from '../sessions/settings/region.js';

/** How viewers reach sessions of a node: `direct` at its own public address, `gateway` through any node. */
export type ClusterMode = 'direct' | 'gateway';

/**
 * Where a node is in its life. `alive`: it holds its lease, or is late with it; `lost`: others have declared it lost, and its
 * sessions ended; `left`: it has ended properly.
 */
export type NodeState = 'alive' | 'lost' | 'left';

/** What a node offers. It says so anew with every renewal. */
export interface NodeOffer {
  /** For other nodes, without a trailing slash. */
  url: string;
  /** For viewers, without a trailing slash. */
  publicUrl: string;
  mode: ClusterMode;
  regions: readonly Region[];
  /** Sessions that it may run at once. */
  sessionRoom: number;
  /** What its sessions may take together, in pixels times frames a second. */
  costRoom: number;
  /** It takes no new sessions, and ends when the last one has. */
  draining: boolean;
  /** False while its memory or its processor is exhausted: it is passed over then, whatever its sessions take by the books. */
  headroom: boolean;
}

/** One life of a node: from a join to the next. */
export interface NodeLife {
  /** Six lower-case hexadecimal digits, unique, the same as long as the node's row is kept. */
  code: string;
  /** Raised by every join; whoever writes with an older one is no longer that node. */
  epoch: number;
}

/** Who joins. */
export interface JoiningNode {
  name: string;
  /** The code that it gets in a new row. */
  code: string;
  /** What only one process at a time can have: a former process of the same home is known to have ended. */
  home: string;
  /** Tells secrets of clusters apart, and nothing of them. */
  secretCheck: string;
}

/** What a join answers. */
export interface Joined extends NodeLife {
  /** The last sign of life of a former process of this name whose sessions may not have been ended in the records yet. */
  unsettled: SignOfLife | null;
}

/**
 * What a renewal answers. `held`: the lease goes on; `lost`: this life was declared lost meanwhile, nothing was renewed;
 * `superseded`: somebody has joined under the same name, or the row is gone, and this process must end itself.
 */
export type Renewed = 'held' | 'lost' | 'superseded';

/** A node as the database knows it. */
export interface NodeRow extends NodeLife, NodeOffer {
  name: string;
  state: NodeState;
  /** Milliseconds since its last sign of life, by the database's clock. */
  age: number;
  /** Milliseconds between the renewals that it has promised. */
  interval: number;
  /** What its sessions take by the books. */
  usedSessions: number;
  usedCost: number;
  /** The last sign of life of a life that is over, while its sessions are not all ended in the records; else null. */
  unsettled: SignOfLife | null;
}

/** A session that holds a place on a node. */
export interface HeldPlace {
  sessionId: string;
  /** Hashes, see `PlacementStore`; null: none. */
  tag: string | null;
  apiKey: string;
  tenant: string | null;
  /** Pixels times frames a second. */
  cost: number;
}

/** What a node holds after {@link NodeStore.takeUp}. */
export interface TakenUp {
  life: NodeLife;
  /** Of the sessions that were named, the ids of those that hold a place now. */
  held: string[];
}

/** A session that is on the books of a node. */
export interface BookedPlace {
  sessionId: string;
  /** Milliseconds since it was placed. */
  age: number;
}

/**
 * The nodes of a cluster, kept where all of them see the same. All lateness is judged by the store's own clock, so what time nodes
 * believe it to be does not matter. Rejects with `DatabaseError`.
 */
export interface NodeStore {
  /**
   * Begins a life of the node of this name: in a new row, or in the row that it has, with a raised epoch. What its former life held is free at once if
   * that was lost, has left or was of the same home; otherwise when that process gives it back, or would be lost. Undefined: the code
   * or a row of this name has just been taken; join again, with another code.
   */
  join(joining: JoiningNode, offer: NodeOffer, interval: number): Promise<Joined | undefined>;
  /** Whether another node that is alive, and not late, has joined with another secret than this one. */
  hasStrangers(joining: Pick<JoiningNode, 'name' | 'secretCheck'>): Promise<boolean>;
  /** A sign of life. `interval`: within how many milliseconds the next one is promised; `moment`: what the node's own clock says. */
  renew(life: NodeLife, offer: NodeOffer, interval: number, moment: Moment): Promise<Renewed>;
  /** The node has ended properly. Its row is kept; what it held is free. */
  leave(life: NodeLife): Promise<void>;
  /** All nodes, in the order of their names. */
  list(): Promise<NodeRow[]>;
  /** One node. */
  find(code: string): Promise<NodeRow | undefined>;
  /**
   * Declares a life lost, if it still is as late as it must be for that. What it held is free. The last sign of life, for the one caller
   * who has declared it; undefined for others.
   */
  declareLost(life: NodeLife): Promise<SignOfLife | undefined>;
  /** The sessions of a life that is over are ended in the records. */
  settled(life: NodeLife): Promise<void>;
  /**
   * The sessions named take their places up again, as far as nobody else has their tags. A node that was declared lost goes on, in a new life:
   * what others write of the lost one comes to nothing. Undefined: the life is over, somebody else has joined under the name.
   */
  takeUp(life: NodeLife, sessions: readonly HeldPlace[]): Promise<TakenUp | undefined>;
  /** The sessions that hold places on a node, without those that a former process of its name may still run. */
  booked(code: string): Promise<BookedPlace[]>;
  /** Removes nodes that were lost or left more than a day ago, when nothing refers to them. */
  forget(): Promise<void>;
}
