import type { Trouble } from './troubles.mjs';

/** Duration of one test file in seconds. */
export interface FileTime {
  file: string;
  seconds: number;
  /** Group of tests that ran it. */
  group?: string;
}

/**
 * Counts of single tests by outcome. A flaky test failed and then passed in a retry. It is in no other count.
 */
export interface Counts {
  passed: number;
  failed: number;
  flaky: number;
  skipped: number;
  /** Tests that did not start because an earlier step failed. */
  notRun: number;
  troubles: Trouble[];
  times: FileTime[];
}
export const NOTHING: Counts;
export function add(one: Counts, other: Counts): Counts;
export function readCounts(file: string, code: number): Counts;
export function countsFile(name: string): string;
