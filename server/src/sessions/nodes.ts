import type { Region } from './settings/region.js';

/**
 * How another node is: `alive`; `late` with its lease, so nobody knows whether its sessions run; `lost`, `left`: its sessions are over;
 * `draining`: alive, and takes no new ones.
 */
export type NodeCondition = 'alive' | 'draining' | 'late' | 'lost' | 'left';

/** A node as the books have it. */
export interface NodeSummary {
  name: string;
  /** What its session ids begin with; null where there is only one machine. */
  code: string | null;
  condition: NodeCondition;
  /** It is the node that was asked. */
  own: boolean;
  /** For other nodes, and for viewers, without a trailing slash. */
  url: string;
  publicUrl: string;
  /** Null where there is only one machine. */
  mode: 'direct' | 'gateway' | null;
  regions: readonly Region[];
  /** Sessions that hold a place on it, and how many may. */
  sessions: number;
  sessionRoom: number;
  /** The same in pixels times frames a second; null: it is not counted. */
  cost: number;
  costRoom: number | null;
  draining: boolean;
  /** False while its memory or its processor is exhausted. */
  headroom: boolean;
  /** Milliseconds since its last sign of life; null where there is only one machine. */
  leaseAge: number | null;
}

/** Seconds between two samples of a node, and for how many it keeps them. */
export const SAMPLE_SECONDS = 5;
export const HISTORY_SECONDS = 3_600;

/** What a node saw in some seconds of its life. */
export interface NodeSample {
  /** At their end. */
  sessions: number;
  viewers: number;
  /** Of each session that showed its page, milliseconds since its request; of the first hundred. */
  startTimes: readonly number[];
  /** Sessions that showed their page. */
  starts: number;
  /** Requests that were refused, by the code of the error. */
  rejections: Readonly<Record<string, number>>;
  /** The part of the processor that all programs of the machine used, 0 to 1. */
  load: number;
  /** Bytes that programs could still have. */
  freeBytes: number;
  /** Whether the database was reachable; null where there is none. */
  database: boolean | null;
}

/** What a node tells of itself. */
export interface NodeReport {
  version: string;
  /** Names the process: another one begins its samples anew. */
  run: string;
  cores: number;
  memoryBytes: number;
  /** How many samples the process has made; the last of {@link samples} is this one. */
  number: number;
  /** Oldest first. */
  samples: readonly NodeSample[];
}

/** A node, and what it tells of itself: null when it does not answer. */
export interface NodeLook {
  summary: NodeSummary;
  report: NodeReport | null;
}
