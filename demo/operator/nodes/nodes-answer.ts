/**
 * Answer of `GET /v0/nodes`, with the fields that this page uses. A unit test compares it with the service.
 */
export interface NodesAnswer {
  /** Seconds between two numbers of a history. */
  interval: number;
  nodes: NodeAnswer[];
}

/** One machine. */
export interface NodeAnswer {
  name: string;
  /** `alive`, `draining`, `late`, `lost` or `left`. Later services may have more values. */
  condition: string;
  /** True if this node answered the request. */
  own: boolean;
  regions: string[];
  sessions: number;
  session_room: number;
  /** Cost of its sessions in pixels times frames per second. The capacity is null if it is not limited. */
  cost: number;
  cost_room: number | null;
  /** False while its memory or its processor is exhausted. */
  headroom: boolean;
  /** Seconds since its last sign of life. Null on a single machine. */
  lease_age: number | null;
  /** Null if the node does not answer or is gone. */
  report: NodeReport | null;
}

/** Report of a machine about itself. */
export interface NodeReport {
  version: string;
  /** Id of the process. A new process starts its samples again. */
  run: string;
  cores: number;
  memory_bytes: number;
  /** Number of samples that the process has made so far. */
  number: number;
  history: NodeHistory;
}

/** One number per interval, oldest first. */
export interface NodeHistory {
  sessions: number[];
  viewers: number[];
  /** Programs that drive sessions. */
  agents: number[];
  starts: number[];
  /** Milliseconds. */
  start_times: number[][];
  /** Number of rejections by error code. */
  rejections: Record<string, number>[];
  /** Processor load from 0 to 1. */
  load: number[];
  free_bytes: number[];
  /** True if the database was reachable. Null without a database. */
  database: (boolean | null)[];
}

/** Returns true if the node has left the cluster or was declared lost. */
export function isGone({ condition }: NodeAnswer): boolean {
  return condition === 'lost' || condition === 'left';
}

/** Returns true if the node should answer but does not. */
export function isSilent(node: NodeAnswer): boolean {
  return node.report === null && !isGone(node);
}
