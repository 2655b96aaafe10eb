import type { HttpProxy } from './host-protocol.js';

/**
 * Number of simultaneous name lookups of the egress process. Node runs lookups in threads, but uses at most
 * half of its threads for slow work such as lookups (`slow_work_thread_threshold` in libuv). So the process
 * has twice as many threads.
 */
export const NAME_THREADS = 64;

/** Settings of the egress process. The service passes them as its only argument, in JSON. */
export interface EgressSettings {
  /** Hosts that hosted browsers may reach in addition to public hosts, see `EgressRules.parse`. */
  allow: readonly string[];
  /** Name servers, `address` or `address:port`. If empty, the system's name servers are used. */
  nameServers: readonly string[];
  /** Unprivileged user id. The process switches to it first. Absent if the service itself is unprivileged. */
  uid?: number;
}

/** Messages from the service to the egress process. */
export type ToEgress =
  /**
   * Requests a proxy for a session's browser. The handle of the message is the listening socket to which the
   * browser connects.
   */
  | { type: 'open'; session: number; proxy: HttpProxy | null }
  | { type: 'close'; session: number }
  /** Reports the port of the service. The egress process protects this port from hosted browsers. */
  | { type: 'service'; port: number }
  /** Checks that the process works. The process answers with `pong`. */
  | { type: 'ping' };

/** Messages from the egress process to the service. */
export type FromEgress =
  /** The process is unprivileged and accepts `open`. */
  | { type: 'ready' }
  | { type: 'pong' }
  /** Number of requests that the process has refused since its last `refused` message, by rule. */
  | { type: 'refused'; counts: Readonly<Record<string, number>> };
