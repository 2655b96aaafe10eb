import type { MethodArgs, SessionMethod } from '../../src/protocol/index.js';
import { within } from './deadline.js';
import type { Scene } from './scene.js';

/** The walk waits at most this long for a call's answer, then goes on as a person would. */
const CALL_LIMIT_MS = 600;

/** Calls a method of the session. A refusal is an answer like any other. */
export async function call<M extends SessionMethod>(
  scene: Scene,
  method: M,
  ...args: MethodArgs<M>
): Promise<unknown> {
  const answer = scene.person.client.remote.call(method, args);
  return within(method, CALL_LIMIT_MS, answer).catch(() => undefined);
}

/** The tabs that are open. */
export async function tabNumbers(scene: Scene): Promise<number[]> {
  return numbersOf(await call(scene, 'tabs.query', {}), 'id');
}

/** The tabs whose pages ask something. */
export async function openDialogs(scene: Scene): Promise<number[]> {
  return numbersOf(await call(scene, 'dialogs.list'), 'tabId');
}

function numbersOf(answer: unknown, name: string): number[] {
  if (!Array.isArray(answer)) return [];
  return answer.map((each: Record<string, unknown>) => Number(each[name])).filter((number) => number > 0);
}
