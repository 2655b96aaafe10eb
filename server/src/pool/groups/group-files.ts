import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wall, type SessionLimits } from '../../platform/session-limits.js';

/** Controllers of the kernel that limit a session. */
export const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
/** One of {@link CONTROLLERS}, by the kernel's name. */
export type Controller = (typeof CONTROLLERS)[number];

/**
 * Makes a group with the limit of a controller, or sets the limit of an existing one. Throws if the kernel
 * refuses.
 */
export function makeGroup(
  path: string,
  controller: Controller,
  { memoryBytes, processes, cpuWeight }: SessionLimits,
): void {
  mkdirSync(path, { recursive: true });
  if (controller === 'pids') write(path, 'pids.max', wall(processes));
  else if (controller === 'cpu') writeWeight(path, cpuWeight);
  else {
    write(path, 'memory.max', wall(memoryBytes));
    attempt(() => write(path, 'memory.swap.max', 0));
  }
}

/** Sets a group's share of the processor. The kernel's default is 100. */
export function writeWeight(path: string, weight: number): void {
  write(path, 'cpu.weight', Math.max(1, Math.round(weight)));
}

/** Returns the number of processes that the kernel killed because the group had no memory left. */
export function killsOf(path: string): number {
  try {
    const text = readFileSync(join(path, 'memory.events'), 'utf8');
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Writes to a file of a group. The file must exist: the kernel creates all files of a group. */
export function write(directory: string, file: string, value: string | number): void {
  writeFileSync(join(directory, file), String(value));
}

/** Returns the words in a file of a group, or none if there is no such file. */
export function wordsIn(directory: string, file: string): string[] {
  try {
    return readFileSync(join(directory, file), 'utf8').split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

/** Runs an action and ignores its errors. For actions that may fail without harm. */
export function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Errors are ignored on purpose.
  }
}
