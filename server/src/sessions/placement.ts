import type { Region } from './settings/region.js';

/** What decides where a new session may run, and whether it may. */
export interface Wanted {
  /** At most one session with a tag runs at a time. */
  tag: string | null;
  apiKey: string;
  tenantId: string | null;
  /** Empty: any. */
  regions: readonly Region[];
  /** What it takes of a machine: pixels times frames a second. */
  cost: number;
}

/** Another node, as its peers and its viewers reach it. */
export interface NodeAddress {
  /** What its session ids begin with: six hexadecimal digits. */
  code: string;
  /** For other nodes, without a trailing slash. */
  url: string;
  /** For viewers, without a trailing slash. */
  publicUrl: string;
}

/** Where a session is to begin, or is already. */
export type Placed =
  /** The id is reserved, together with what the session takes. `node` null: on this node. */
  | { kind: 'begin'; id: string; node: NodeAddress | null }
  /** A session with the tag is there, or is just starting or ending. */
  | { kind: 'exists'; id: string; node: NodeAddress | null };

/** Gives sessions their places and their tags. What it gave is taken until {@link Placement.release}. */
export interface Placement {
  /**
   * Throws a `ServiceError` that says why there is no place.
   *
   * @param unreached places of this session whose nodes could not be reached: they are given back, and their nodes passed over
   */
  place(wanted: Wanted, unreached?: readonly string[]): Promise<Placed>;
  /**
   * Somebody has asked this node for a session by its place, and nothing of it is here: it is over, still on its way, or never comes.
   * Resolves when the place may be looked at again.
   */
  missing(sessionId: string): Promise<void>;
  /** The session is over, or could not begin. */
  release(sessionId: string): void;
}
