import type { FileTime } from './counts.mjs';

export function writeTimes(times: FileTime[]): void;
export function slowestLines(times: FileTime[]): string[];
