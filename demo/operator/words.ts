import { isSilent, type NodeAnswer } from './nodes/nodes-answer.js';

/** Severity of a state, shown as a colour. */
export type Mood = 'good' | 'warn' | 'bad' | 'gone';

/** State of a node in words. */
export interface State {
  mood: Mood;
  word: string;
  /** Explanation of the state. May be empty. */
  meaning: string;
}

/** Returns the state of a node. With several problems, the worst one. */
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
  if (!headroom)
    return {
      mood: 'warn',
      word: 'Exhausted',
      meaning: 'Memory or processor are used up, or sessions do not start.',
    };
  if (condition !== 'alive') return { mood: 'warn', word: condition, meaning: '' };
  return { mood: 'good', word: 'Running', meaning: '' };
}

/** Returns the worst severity of some nodes. Nodes that are gone do not count. */
export function moodOf(nodes: readonly NodeAnswer[]): Mood {
  const moods = new Set(nodes.map((node) => stateOf(node).mood));
  return (['bad', 'warn'] as const).find((mood) => moods.has(mood)) ?? 'good';
}

/** Returns the number of nodes in each state, for example `3 nodes: 2 running, 1 lost`. */
export function nodesText(nodes: readonly NodeAnswer[]): string {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const word = stateOf(node).word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const list = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  return `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}: ${list}`;
}

/** Formats a duration, for example `850 ms` and `1.2 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

/** Formats seconds, for example `3 s`, `4 min` and `5 h`. */
export function secondsText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Formats bytes, for example `3.4 GB`. A GB is 2^30 bytes. */
export function bytesText(bytes: number): string {
  const gigabytes = bytes / 2 ** 30;
  if (gigabytes < 1) return `${Math.round(bytes / 2 ** 20)} MB`;
  return `${gigabytes.toFixed(gigabytes < 10 ? 1 : 0)} GB`;
}

/** Formats a fraction from 0 to 1, for example `42 %`. */
export function percentText(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** Formats a value of a chart with a suitable number of digits. */
export function valueText(value: number): string {
  return Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)).toString();
}
