import type { HttpProxy } from './host-protocol.js';

/**
 * Number of simultaneous name lookups of the egress process. Node runs lookups in threads, and reserves half
 * of its threads for other work (`slow_work_thread_threshold` in libuv).
 */
export const NAME_THREADS = 64;

/** Settings of the egress process, its only argument. */
export interface EgressSettings {
  /** Exceptions from "public hosts only", see `EgressRules.parse`. */
  allow: readonly string[];
  /** Name servers, `address` or `address:port`. If empty, the system's name servers are used. */
  nameServers: readonly string[];
  /** Unprivileged user id. The process switches to it first. Absent if the service itself is unprivileged. */
  uid?: number;
}

/** Messages from the service to the egress process. */
export type ToEgress =
  /**
   * Requests a proxy for a session's browser. The message carries the handle of the socket that the browser
   * connects to.
   */
  | { type: 'open'; session: number; proxy: HttpProxy | null }
  | { type: 'close'; session: number }
  /** Reports the port of the service. */
  | { type: 'service'; port: number }
  /** Answered by `pong`. */
  | { type: 'ping' };

/** Messages from the egress process to the service. */
export type FromEgress =
  /** The process is unprivileged and accepts `open`. */
  | { type: 'ready' }
  | { type: 'pong' }
  /** Requests that were refused since the last such message, by rule. */
  | { type: 'refused'; counts: Readonly<Record<string, number>> };
