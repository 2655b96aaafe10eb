import type { Region } from '../../create-fields/values/region.js';

/**
 * Condition of a node.
 * - `alive`: its lease, which it renews regularly, is valid.
 * - `draining`: alive, but takes no new sessions.
 * - `late`: its lease is overdue. It is unknown if its sessions still run.
 * - `lost`: another node declared it lost, and its sessions ended.
 * - `left`: it ended properly.
 */
export type NodeCondition = 'alive' | 'draining' | 'late' | 'lost' | 'left';

/** State of a node, for operators. */
export interface NodeSummary {
  name: string;
  /** Prefix of its session ids. Null if there is only one machine. */
  code: string | null;
  condition: NodeCondition;
  /** True for the node that answers the request. */
  own: boolean;
  /** Addresses for other nodes and for viewers, without a trailing slash. */
  url: string;
  publicUrl: string;
  /**
   * Way of viewers to the sessions of the node. `direct`: they connect to the node's own address. `gateway`:
   * they can connect to any node, which forwards the connection. Null if there is only one machine.
   */
  mode: 'direct' | 'gateway' | null;
  regions: readonly Region[];
  /** Sessions that hold a place on the node, and the limit of sessions. */
  sessions: number;
  sessionRoom: number;
  /** Total cost of the sessions, in pixels times frames a second, and its limit. Null: no limit. */
  cost: number;
  costRoom: number | null;
  draining: boolean;
  /**
   * False while the memory or the processor of the node is exhausted, or while sessions do not start on it.
   */
  headroom: boolean;
  /** Milliseconds since its last heartbeat. Null if there is only one machine. */
  leaseAge: number | null;
}

/** Seconds between two samples of a node. */
export const SAMPLE_SECONDS = 5;
/** Seconds for which a node keeps its samples. */
export const HISTORY_SECONDS = 3_600;

/** Measurements of a node over one sampling interval. */
export interface NodeSample {
  /** Number of sessions at the end of the interval. */
  sessions: number;
  viewers: number;
  /** Programs that drive sessions. Absent in samples of older versions. */
  agents?: number;
  /**
   * Milliseconds from the request until the page was shown, for at most the first hundred sessions of the
   * interval.
   */
  startTimes: readonly number[];
  /** Number of sessions that first showed their page in the interval. */
  starts: number;
  /** Rejected requests by error code. */
  rejections: Readonly<Record<string, number>>;
  /** Processor use of all programs of the machine, 0 to 1. */
  load: number;
  /** Bytes of memory that programs can still allocate. */
  freeBytes: number;
  /** True if the database was reachable. Null without a database. */
  database: boolean | null;
}

/** Report of a node about itself. */
export interface NodeReport {
  version: string;
  /** Id of the process. A new process starts with no samples. */
  run: string;
  cores: number;
  memoryBytes: number;
  /** Number of samples that the process has made. The last sample in {@link samples} has this number. */
  number: number;
  /** Oldest first. */
  samples: readonly NodeSample[];
}

/** A node and its report. The report is null if the node does not answer. */
export interface NodeStatus {
  summary: NodeSummary;
  report: NodeReport | null;
}
