import type { DisconnectReason } from '../../src/protocol/index.js';
import type { Scene } from './scene.js';
import { SLACK } from '../support/limits.js';
import type { ServiceOptions } from '../support/built-service.js';

/** The session's fate after a fault. `hangs` must never happen. */
export type Fate = 'goes on' | `ends: ${DisconnectReason}` | 'hangs';

/** Effects of a fault on a session. */
export interface Outcome {
  /** The struck session, judged by typing that reaches its page and is shown, or by its viewer's end. */
  session: Fate;
  /** A neighbour session, which the fault does not touch. */
  neighbour: Fate;
  /** The kinds of the notices that the viewer was shown, in order. */
  told: readonly string[];
  /** Further facts, each a sentence of the row. */
  facts: readonly string[];
}

/** Expected outcome. */
export interface Expected extends Outcome {
  /**
   * Seconds from the fault until the session works again, or until its end is reported, on an otherwise idle
   * machine.
   */
  within: number;
  /** Kinds of notices that are also allowed, depending on the actions of the users. */
  mayBeTold?: readonly string[];
  /** The line of the log that reports the fault. */
  logged?: RegExp;
}

/** Observed outcome. */
export interface Seen extends Outcome {
  /** Seconds; undefined when the session hangs. */
  after: number | undefined;
  /** Reason why the session was not judged as working. */
  trouble?: string;
  /** True if the expected line is in the log. */
  logged: boolean;
  /** Seconds until the first warning or error of the log. Undefined: there is none. */
  noticedAfter: number | undefined;
  /** Seconds until the viewer's first notice. Undefined: there is none. */
  toldAfter: number | undefined;
  /** Lines of the log that are errors and were not expected. */
  errors: readonly string[];
  /** Remains of the session after its end. */
  left: readonly string[];
}

/** A row of the table. */
export interface Fault {
  name: string;
  /** True if the row takes only seconds. `npm run test:all` runs all such rows, `npm test` three. */
  short?: true;
  /** True if the fault requires root. Otherwise the row is skipped, and the table says so. */
  root?: true;
  /**
   * False if this machine lacks something that the row needs. The row is then skipped, and the table says so.
   */
  possible?: boolean;
  /** Settings of a separate service for this fault. Without them the fault uses the shared service. */
  service?: ServiceOptions;
  /** Creation parameters of the struck session. */
  parameters?: Readonly<Record<string, unknown>>;
  /** True if the neighbour depends on the struck part too. It then has the same time limit as the session. */
  shared?: true;
  /** Number of notices before the actions of `first`; default: all. */
  toldBefore?: number;
  /** Prepares the session for the fault. */
  prepare?: (scene: Scene, limitMs: number) => Promise<void>;
  /** Acts of users right after the fault. */
  after?: (scene: Scene) => void;
  /** Injects the fault. */
  strike: (scene: Scene) => Promise<void> | void;
  /**
   * Actions of people before they type again, such as reloading a crashed page. May also contain checks.
   */
  first?: (scene: Scene, limitMs: number) => Promise<void>;
  /**
   * Checks further facts when the session has recovered or ended. Resolves to the true facts of
   * `expected.facts`.
   */
  facts?: (scene: Scene) => Promise<readonly string[]>;
  /** Removes the fault before the session is ended. */
  mend?: (scene: Scene) => Promise<void> | void;
  expected: Expected;
}

/** Result of a row. */
export interface Result {
  fault: Fault;
  seen: Seen;
  /** Each difference from the expectation, in words. */
  differences: readonly string[];
}

/** Compares the observed outcome with the expected one. */
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
  if (expected.told.length > 0 && seen.toldAfter !== undefined && seen.toldAfter > within)
    differences.push(`the viewer was told after ${seen.toldAfter.toFixed(1)} s of ${within}`);
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
  const times = { after: undefined, noticedAfter: undefined, toldAfter: undefined };
  const nothing = { ...times, told: [], facts: [], errors: [], left: [], logged: false };
  return { fault, seen: { session: 'hangs', neighbour: 'hangs', ...nothing }, differences: [trouble] };
}
