import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from '../support/nodes.js';
import { ask } from '../support/nodes.js';
import type { Created } from './history-log.js';
import { monotonicNow } from './monotonic.js';
import type { Stage } from './stage.js';

const AGAIN_MS = 200;
/**
 * Milliseconds for which nodes must have reached the database before they declare another one lost, plus a
 * margin.
 */
const STEADY_MS = 61_000;

/** Resolves when the condition holds. Rejects if it does not within this many seconds. */
export async function until(what: string, seconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = monotonicNow() + seconds * 1_000;
  while (!(await holds())) {
    if (monotonicNow() > end) throw new Error(`Not within ${seconds} s: ${what}.`);
    await pause(AGAIN_MS);
  }
}

/** Answers for a tag until a session was available. */
export interface Claim {
  session: Access;
  /** Seconds from the given moment to the answer. */
  seconds: number;
  /** Codes of the refusals. */
  refused: Set<string>;
}

/** Requests a tag until the answer is a session other than this one. */
export async function claim(
  stage: Stage,
  urls: readonly string[],
  { tag, not, since, limit }: { tag: string; not?: string; since: number; limit: number },
): Promise<Claim> {
  const refused = new Set<string>();
  let created: Created | undefined;
  let turn = 0;
  await until(`${tag} can be had (${limit} s)`, limit, async () => {
    created = await stage.history.create(urls[turn++ % urls.length] ?? '', { tag, limit: 35_000 });
    if (created.code !== undefined) refused.add(created.code);
    return created.session !== undefined && created.session.session_id !== not;
  });
  assert.ok(created?.session);
  return { session: created.session, seconds: (created.at - since) / 1_000, refused };
}

/** Returns the session's state as a node reports it, or the reason of its end. `none`: no answer. */
export async function stateOf(url: string, id: string, limit = 10_000): Promise<string> {
  const answer = await ask(url, 'GET', `/v0/vm/${id}`, { limit }).catch(() => undefined);
  if (answer?.status !== 200) return 'none';
  const { state, termination_reason: why } = answer.body as {
    state: string;
    termination_reason: string | null;
  };
  return why === null ? state : `${state}: ${why}`;
}

/** Asserts that these nodes report the sessions as running. */
export async function assertRunning(urls: readonly string[], sessions: readonly Access[]): Promise<void> {
  for (const url of urls)
    for (const { session_id: id } of sessions) assert.equal(await stateOf(url, id), 'running');
}

/** Creates sessions without a tag until there is one on each node. Returns them by their nodes' indexes. */
export async function oneOnEach(stage: Stage, prefix?: string): Promise<Access[]> {
  const found = new Map<number, Access>();
  for (let nth = 0; found.size < stage.nodes.length && nth < 30; nth++) {
    const tag = prefix === undefined ? undefined : `${prefix}-${nth}`;
    const session = await stage.history.begin(stage.at(nth % 3).url, tag === undefined ? {} : { tag });
    const place = stage.nodes.indexOf(stage.ownerOf(session.session_id));
    if (!found.has(place)) found.set(place, session);
  }
  return stage.nodes.map((_node, place) => {
    const session = found.get(place);
    if (!session) throw new Error('A node was given no session.');
    return session;
  });
}

/** Chooses a node to strike, with a tagged session. Returns the other nodes and one session of each, too. */
export async function chooseVictim(stage: Stage) {
  const [first, ...rest] = await oneOnEach(stage, 'own');
  assert.ok(first);
  const victim = stage.ownerOf(first.session_id);
  const urls = stage.others(victim).map(({ url }) => url);
  return { first, rest, victim, urls };
}

/** The tag of a session. */
export function tagIn(stage: Stage, { session_id: id }: Access): string {
  const operation = stage.history.operations.find((one) => one.id === id);
  assert.ok(operation);
  return operation.tag;
}

/** Waits until the nodes have reached the database for long enough to trust it. */
export async function settle(): Promise<void> {
  await pause(STEADY_MS);
}

export { pause };
