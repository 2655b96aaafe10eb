import type { Region } from '../../create-fields/values/region.js';

/** Request for a place. It has all data that determine whether a new session may run, and on which node. */
export interface PlacementRequest {
  /** At most one session with the same tag runs at a time. Null: no tag. */
  tag: string | null;
  apiKey: string;
  tenantId: string | null;
  /** Empty: any region. */
  regions: readonly Region[];
  /** Cost for a machine: pixels times frames per second. */
  cost: number;
}

/** Addresses of another node for its peers and its viewers. */
export interface NodeAddress {
  /** Prefix of its session ids: six hexadecimal digits. */
  code: string;
  /** Address for other nodes, without a trailing slash. */
  url: string;
  /** Address for viewers, without a trailing slash. */
  publicUrl: string;
}

/** Node on which a session must begin, or on which it already exists. */
export type Placed =
  /** The id and the session's cost are reserved. `node` null: on this node. */
  | { kind: 'begin'; id: string; node: NodeAddress | null }
  /** A session with the tag exists, or is just starting or ending. */
  | { kind: 'exists'; id: string; node: NodeAddress | null };

/** Reserves places and tags for sessions, until {@link Placement.release}. */
export interface Placement {
  /**
   * Returns a place. Rejects with a `ServiceError` if there is none.
   *
   * @param passedOver places of this session on nodes that were not reached or did not start it. They are
   *   released, and their nodes are skipped. Rejects with `NotReachedError` if no other node has room.
   */
  place(wanted: PlacementRequest, passedOver?: readonly string[]): Promise<Placed>;
  /**
   * Handles another node's request for a session that this node does not have. The session has ended, has not
   * arrived yet, or will never arrive. Resolves when the caller may look up the place again.
   */
  missing(sessionId: string): Promise<void>;
  /** Releases the place of a session that has ended or could not begin. */
  release(sessionId: string): void;
}
