import type { SessionRow } from '../../../src/api/index.js';
import { ApiError } from '../../api.js';

/** Codes of errors after which a session is no longer running. */
const ENDED = new Set(['err_session_terminated', 'err_not_found']);

const PROBLEMS: Readonly<Record<string, string>> = {
  unreachable: 'The service does not answer.',
  err_node_unreachable: 'The machine of this session does not answer.',
  err_browser_unavailable: 'The browser is restarting.',
  err_too_many_calls: 'The session has too much to do.',
  err_too_many_requests: 'The session has too much to do.',
};

/** Returns true if an error means that the session has ended. */
export function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && ENDED.has(error.code);
}

/** Returns true if an error means that the session may not be seen now. */
export function isPrivate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'err_forbidden';
}

/** Returns the reason why there is no new picture, as a short sentence. */
export function problemText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : '';
  return PROBLEMS[code] ?? 'The picture could not be taken.';
}

/** Returns the reason why no picture is taken in the state of a session. Undefined if pictures are taken. */
export function stateText({ state, standby }: Pick<SessionRow, 'state' | 'standby'>): string | undefined {
  if (state === 'starting') return 'The session is starting.';
  if (state === 'ending') return 'The session is ending.';
  return standby ? 'In standby: nobody uses the session.' : undefined;
}

/** Returns the first part of a session's id. */
export function shortId(id: string): string {
  return id.length > 8 ? `${id.slice(0, 8)}…` : id;
}

/** Returns the name of a session for its heading and its picture. */
export function nameOf({ id, tag }: Pick<SessionRow, 'id' | 'tag'>): string {
  return tag ?? shortId(id);
}

/** Returns a number of viewers in words. */
export function viewersText(count: number): string {
  if (count === 0) return 'No viewers';
  return count === 1 ? '1 viewer' : `${count.toLocaleString('en')} viewers`;
}

/** Returns the number of shown sessions as a sentence. */
export function sessionsText(count: number, more: boolean): string {
  if (count === 0) return 'No session is running.';
  if (more) return `The oldest ${count.toLocaleString('en')} sessions.`;
  return count === 1 ? 'One session is running.' : `${count.toLocaleString('en')} sessions are running.`;
}
