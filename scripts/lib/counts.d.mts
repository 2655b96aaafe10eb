import type { Trouble } from './troubles.mjs';

/** Counts of single tests by outcome. A flaky test failed and then passed in a retry; it is in no other count. */
export interface Counts {
  passed: number;
  failed: number;
  flaky: number;
  skipped: number;
  /** Tests that did not start because an earlier step failed. */
  notRun: number;
  troubles: Trouble[];
}
export const NOTHING: Counts;
export function add(one: Counts, other: Counts): Counts;
export function readCounts(file: string, code: number): Counts;
export function countsFile(name: string): string;
