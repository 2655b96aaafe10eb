import type { InputEvent, Touch } from 'cloud-browser/protocol';

/**
 * An event that acts on the browser, except paste events. `UserInput.paste` handles those together with their
 * data.
 */
export type UserEvent = Exclude<InputEvent, { type: 'ack' | 'paste' }>;

/**
 * Limits of the wire format. A larger sum of wheel turns is cut to the limit. Distances with a larger sum are
 * not merged.
 */
const MAX_DELTA = 4_095;
const MAX_DISTANCE = 32_767;

/**
 * Merges an event with a waiting event of the same user. The result is the later event, for example the later
 * pointer position. Distances and wheel turns are added. Returns undefined if the events cannot be merged.
 */
export function merged(waiting: UserEvent, next: UserEvent): UserEvent | undefined {
  if (next.type === 'wheel' && waiting.type === 'wheel') {
    if (waiting.notched !== next.notched || waiting.modifiers !== next.modifiers) return undefined;
    const sum = (one: number, other: number) => Math.max(-MAX_DELTA, Math.min(MAX_DELTA, one + other));
    const [deltaX, deltaY] = [sum(waiting.deltaX, next.deltaX), sum(waiting.deltaY, next.deltaY)];
    return { ...next, deltaX, deltaY };
  }
  if (next.type === 'relative' && waiting.type === 'relative') {
    const [x, y] = [waiting.x + next.x, waiting.y + next.y];
    return Math.max(Math.abs(x), Math.abs(y)) > MAX_DISTANCE ? undefined : { ...next, x, y };
  }
  if (next.type === 'touch' && waiting.type === 'touch') return sameMove(waiting, next) ? next : undefined;
  const replaces = next.type === 'move' || next.type === 'composition' || next.type === 'release';
  return replaces && next.type === waiting.type ? next : undefined;
}

function sameMove(waiting: Touch, next: Touch): boolean {
  const ids = ({ points }: Touch) => points.map(({ id }) => id).join();
  return waiting.phase === 'move' && next.phase === 'move' && ids(waiting) === ids(next);
}
