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
   * @param passedOver ids under which earlier attempts placed this session, on nodes that were not reached or
   *   did not start the session. Releases these places and skips their nodes. Rejects with `NotReachedError`
   *   if no other node has room.
   */
  place(wanted: PlacementRequest, passedOver?: readonly string[]): Promise<Placed>;
  /**
   * Handles a request for a session that has a place on this node, but is unknown to this node. The session
   * has ended, or the order to start it arrives later or never. Resolves when the caller may look up the
   * place again.
   */
  missing(sessionId: string): Promise<void>;
  /** Releases the place of a session that has ended or could not begin. */
  release(sessionId: string): void;
}
