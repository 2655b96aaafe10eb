import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LifeOfSession } from '../../support/history.js';

/** A line that a host has written. */
interface Line {
  id: string;
  tag: string | null;
  what: 'begin' | 'end';
  at: number;
  pid: number;
}

/** Reads the lives of a cluster's sessions from the hosts' records. `explained` is never set. */
export async function readLives(path: string): Promise<LifeOfSession[]> {
  const lives = new Map<string, LifeOfSession & { pid: number }>();
  for (const { id, tag, what, at, pid } of await readLines<Line>(path)) {
    const life = lives.get(id);
    if (what === 'begin') lives.set(id, { id, tag, from: at, until: Infinity, explained: false, pid });
    else if (life) life.until = at;
  }
  return [...lives.values()].map(({ pid, ...life }) => {
    // A host that was killed could write nothing.
    if (life.until === Infinity && !existsSync(`/proc/${pid}`)) return { ...life, until: life.from };
    return life;
  });
}

/** Returns the longest delay of a node's event loop between two moments, in milliseconds. */
export async function readLag(path: string, from: number, until: number): Promise<number> {
  const lines = await readLines<{ at: number; lag: number }>(path);
  return Math.max(0, ...lines.filter(({ at }) => at > from && at < until).map(({ lag }) => lag));
}

/** Reads JSON lines. The last line may be incomplete. */
async function readLines<Value>(path: string): Promise<Value[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Value);
}
