import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wall, type SessionLimits } from '../../platform/session-limits.js';

/** Controllers of the kernel that limit a session. */
export const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
/** One of {@link CONTROLLERS}, by the kernel's name. */
export type Controller = (typeof CONTROLLERS)[number];

/** A session's group in one hierarchy. */
export interface GroupPart {
  path: string;
  version: 1 | 2;
}

/** Location of a controller's groups. */
export interface Hierarchy {
  version: 1 | 2;
  /** Directory of the group that this service is in. */
  directory: string;
}

/**
 * Makes a group with the limit of its controller, or sets the limit of an existing one. Throws if the kernel
 * refuses.
 */
export function makeGroup(
  path: string,
  controller: Controller,
  { version }: Pick<Hierarchy, 'version'>,
  { memoryBytes, processes, cpuWeight }: SessionLimits,
): void {
  mkdirSync(path, { recursive: true });
  if (controller === 'pids') write(path, 'pids.max', wall(processes));
  else if (controller === 'cpu') writeWeight(path, version, cpuWeight);
  else if (version === 2) {
    write(path, 'memory.max', wall(memoryBytes));
    attempt(() => write(path, 'memory.swap.max', 0));
  } else {
    write(path, 'memory.limit_in_bytes', wall(memoryBytes));
    attempt(() => write(path, 'memory.memsw.limit_in_bytes', wall(memoryBytes)));
  }
}

/** Sets a group's share of the processor. `weight` is on the scale of version 2, where 100 is the default. */
export function writeWeight(path: string, version: 1 | 2, weight: number): void {
  if (version === 2) write(path, 'cpu.weight', Math.max(1, Math.round(weight)));
  else write(path, 'cpu.shares', Math.max(2, Math.round((weight * 1024) / 100)));
}

/** Returns the number of processes that the kernel killed because the group had no memory left. */
export function killsOf(path: string, version: 1 | 2): number {
  try {
    const text = readFileSync(join(path, version === 2 ? 'memory.events' : 'memory.oom_control'), 'utf8');
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

/** Runs an action that may fail without harm, and ignores its errors. */
export function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Errors are ignored on purpose.
  }
}
