import { isSilent, type NodeAnswer } from './nodes-answer.js';

/** How a thing is, for its colour. */
export type Mood = 'good' | 'warn' | 'bad' | 'gone';

/** How a node is, in words. */
export interface State {
  mood: Mood;
  word: string;
  /** What that means; empty when nothing is to be said. */
  meaning: string;
}

/** The state of a node; of several things that are wrong, the worst. */
export function stateOf(node: NodeAnswer): State {
  const { condition, headroom, lease_age: age, report } = node;
  if (condition === 'lost') return { mood: 'gone', word: 'Lost', meaning: 'Its sessions are over.' };
  if (condition === 'left') return { mood: 'gone', word: 'Left', meaning: 'It was shut down.' };
  if (condition === 'late') {
    const since = age === null ? '' : ` for ${secondsText(age)}`;
    return { mood: 'bad', word: 'Late', meaning: `No sign of life${since}. Its sessions may run.` };
  }
  if (isSilent(node))
    return { mood: 'bad', word: 'Silent', meaning: 'Gives signs of life, but no answer to other nodes.' };
  if (report?.history.database.at(-1) === false)
    return { mood: 'bad', word: 'No database', meaning: 'Sessions go on, none begins here.' };
  if (condition === 'draining')
    return { mood: 'warn', word: 'Draining', meaning: 'It takes no new sessions.' };
  if (!headroom) return { mood: 'warn', word: 'Exhausted', meaning: 'Memory or processor are used up.' };
  if (condition !== 'alive') return { mood: 'warn', word: condition, meaning: '' };
  return { mood: 'good', word: 'Running', meaning: '' };
}

/** The worst of the moods of nodes; those that are gone are nobody's worry any more. */
export function moodOf(nodes: readonly NodeAnswer[]): Mood {
  const moods = new Set(nodes.map((node) => stateOf(node).mood));
  return (['bad', 'warn'] as const).find((mood) => moods.has(mood)) ?? 'good';
}

/** How many nodes are in which state, such as `3 nodes: 2 running, 1 lost`. */
export function nodesText(nodes: readonly NodeAnswer[]): string {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const word = stateOf(node).word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const list = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  return `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}: ${list}`;
}

/** Such as `850 ms` and `1.2 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

/** Such as `3 s`, `4 min` and `5 h`. */
export function secondsText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Such as `3.4 GB`, of 2^30 bytes. */
export function bytesText(bytes: number): string {
  const gigabytes = bytes / 2 ** 30;
  if (gigabytes < 1) return `${Math.round(bytes / 2 ** 20)} MB`;
  return `${gigabytes.toFixed(gigabytes < 10 ? 1 : 0)} GB`;
}

/** Such as `42 %`, of a part from 0 to 1. */
export function percentText(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** A value of a chart, with as many digits as it is worth. */
export function valueText(value: number): string {
  return Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)).toString();
}
