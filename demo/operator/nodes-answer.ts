/** What `GET /v0/nodes` answers, as far as this page reads it. A unit test holds it to what the service answers. */
export interface NodesAnswer {
  /** Seconds between two numbers of a history. */
  interval: number;
  nodes: NodeAnswer[];
}

/** One machine. */
export interface NodeAnswer {
  name: string;
  /** `alive`, `draining`, `late`, `lost` or `left`; later services may know more. */
  condition: string;
  /** It is the one that answered. */
  own: boolean;
  regions: string[];
  sessions: number;
  session_room: number;
  /** Of its sessions, in pixels times frames a second; the room for it is null where it is not counted. */
  cost: number;
  cost_room: number | null;
  /** False while its memory or its processor is exhausted. */
  headroom: boolean;
  /** Seconds since its last sign of life; null on a single machine. */
  lease_age: number | null;
  /** Null when it does not answer, or is gone. */
  report: NodeReport | null;
}

/** What a machine tells of itself. */
export interface NodeReport {
  version: string;
  /** Names the process: another one begins its samples anew. */
  run: string;
  cores: number;
  memory_bytes: number;
  /** Of samples that the process has made so far. */
  number: number;
  history: NodeHistory;
}

/** A number for each interval, oldest first. */
export interface NodeHistory {
  sessions: number[];
  viewers: number[];
  starts: number[];
  /** Milliseconds. */
  start_times: number[][];
  /** By error code. */
  rejections: Record<string, number>[];
  /** Of the processor, 0 to 1. */
  load: number[];
  free_bytes: number[];
  /** Whether the database was reachable; null without one. */
  database: (boolean | null)[];
}

/** Its sessions are over, so that nothing of it counts any more. */
export function isGone({ condition }: NodeAnswer): boolean {
  return condition === 'lost' || condition === 'left';
}

/** It should answer, and does not. */
export function isSilent(node: NodeAnswer): boolean {
  return node.report === null && !isGone(node);
}
