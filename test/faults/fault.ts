import type { DisconnectReason } from '../../src/protocol/index.js';
import type { Scene } from './scene.js';
import { SLACK } from '../support/limits.js';
import type { ServiceOptions } from './support/real-service.js';

/** How a session takes a fault: `hangs` is what must never be. */
export type Fate = 'goes on' | `ends: ${DisconnectReason}` | 'hangs';

/** What a fault does to a session. */
export interface Outcome {
  /** The struck session, judged by typing that reaches its page and is shown, or by its viewer's end. */
  session: Fate;
  /** A session beside it, which nothing was done to. */
  neighbour: Fate;
  /** The kinds of the notices that the viewer was shown, in order. */
  told: readonly string[];
  /** What else is so, each a sentence of the row's own. */
  facts: readonly string[];
}

/** What must happen. */
export interface Expected extends Outcome {
  /** Seconds from the fault until the session works again, or until its end is told, on a machine that does nothing else. */
  within: number;
  /** Kinds of notices that may come as well, by what people do at the moment. */
  mayBeTold?: readonly string[];
  /** A line of the log that tells of it. */
  logged?: RegExp;
}

/** What happened. */
export interface Seen extends Outcome {
  /** Seconds; undefined when the session hangs. */
  after: number | undefined;
  /** What kept the session from being judged as working. */
  trouble?: string;
  /** Whether the expected line is in the log. */
  logged: boolean;
  /** Lines of the log that are errors and were not expected. */
  errors: readonly string[];
  /** What is there of the session when it is over. */
  left: readonly string[];
}

/** A row of the table. */
export interface Fault {
  name: string;
  /** Belongs to the part that runs with every `npm test`. */
  short?: true;
  /** Only root can do it; for others the row is left out, which is told. */
  root?: true;
  /** The service of its own that this fault needs. Without it one service is shared. */
  service?: ServiceOptions;
  /** Creation parameters of the struck session. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The neighbour stands on what is struck as well, and has as long as the session. */
  shared?: true;
  /** How many of the notices come before people do what `first` says; all when it is left out. */
  toldBefore?: number;
  /** Does it. */
  strike: (scene: Scene) => Promise<void> | void;
  /** What people do before they type again, such as loading a crashed page anew; also what must work besides typing. */
  first?: (scene: Scene, limitMs: number) => Promise<void>;
  /** Looks at what else is so, when the session's fate is known; resolves to those of `expected.facts` that are. */
  facts?: (scene: Scene) => Promise<readonly string[]>;
  /** Takes the fault away before the session is ended. */
  mend?: (scene: Scene) => Promise<void> | void;
  expected: Expected;
}

/** How a row went. */
export interface Result {
  fault: Fault;
  seen: Seen;
  /** Each difference from what is expected, in words. */
  differences: readonly string[];
}

/** Compares what was seen with what is expected. */
export function compare(expected: Expected, seen: Seen): string[] {
  const differences: string[] = [];
  const say = (what: string, wanted: string, found: string) => {
    if (wanted !== found) differences.push(`${what}: expected "${wanted}", seen "${found}"`);
  };
  say('session', expected.session, seen.session);
  if (expected.session !== seen.session && seen.trouble) differences.push(seen.trouble);
  const within = expected.within * SLACK;
  if (seen.after !== undefined && seen.after > within)
    differences.push(`it took ${seen.after.toFixed(1)} s of ${within}`);
  const isExpected = (kind: string) => expected.told.includes(kind) || !expected.mayBeTold?.includes(kind);
  say('viewer is told', listed(expected.told), listed(seen.told.filter(isExpected)));
  say('neighbour', expected.neighbour, seen.neighbour);
  if (expected.logged && !seen.logged) differences.push(`the log has no ${String(expected.logged)}`);
  for (const fact of expected.facts) if (!seen.facts.includes(fact)) differences.push(`not so: ${fact}`);
  for (const fact of seen.facts) if (!expected.facts.includes(fact)) differences.push(`besides: ${fact}`);
  for (const error of seen.errors) differences.push(`an error is logged: ${error.slice(0, 300)}`);
  for (const thing of seen.left) differences.push(`left behind: ${thing}`);
  return differences;
}

/** Words in a row, or a dash. */
export function listed(words: readonly string[]): string {
  return words.length === 0 ? '–' : words.join(', ');
}

/** The result of a row that could not be run to its end. */
export function notRun(fault: Fault, error: unknown): Result {
  const trouble = error instanceof Error ? error.message : String(error);
  const nothing = { told: [], facts: [], errors: [], left: [], after: undefined, logged: false };
  return { fault, seen: { session: 'hangs', neighbour: 'hangs', ...nothing }, differences: [trouble] };
}
