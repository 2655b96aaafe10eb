import type { HttpProxy } from './host-protocol.js';

/**
 * Names that the egress process looks up at once. Node asks the system in threads, and leaves half of its own for other work:
 * `slow_work_thread_threshold` of libuv's sources.
 */
export const NAME_THREADS = 64;

/** What the egress process is started with, as its only argument. */
export interface EgressSettings {
  /** Exceptions to "public hosts alone", see `EgressRules.parse`. */
  allow: readonly string[];
  /** Name servers to ask, `address` or `address:port`; empty for the system's. */
  nameServers: readonly string[];
  /** Unprivileged id to become before anything else; absent when the service itself is unprivileged. */
  uid?: number;
}

/** Service to egress process. */
export type ToEgress =
  /** Serve a session's browser; the socket that it connects to comes as the message's handle. */
  | { type: 'open'; session: number; proxy: HttpProxy | null }
  | { type: 'close'; session: number }
  /** The service listens on this port. */
  | { type: 'service'; port: number }
  /** Answered by `pong`. */
  | { type: 'ping' };

/** Egress process to service. */
export type FromEgress =
  /** The process is unprivileged and can take `open`. */
  | { type: 'ready' }
  | { type: 'pong' }
  /** Requests that were refused since the last such message, by rule. */
  | { type: 'refused'; counts: Readonly<Record<string, number>> };
