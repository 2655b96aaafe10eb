import type { SessionRecord, SessionStatus } from './session-record.js';

/** Maximum number of sessions on one page of the list. */
export const PAGE_SIZE = 100;

/** A page of the list of sessions. */
export interface SessionPage {
  results: SessionStatus[];
  /** Id of the last session on this page, after which the next page starts. Null if the page is empty. */
  next: string | null;
}

/**
 * Returns the page after `after`. Sessions are in the order of their creation. So a session that ends between
 * two requests, even `after` itself, does not move other sessions. A page with sessions always has a `next`,
 * even if no session follows. The next page is then empty, and its `next` is null. So callers may stop at an
 * empty page or at a `next` of null.
 */
export function pageOf(sessions: readonly SessionStatus[], after: SessionRecord | undefined): SessionPage {
  const start = after && positionOf(after);
  const rest = sessions
    .filter(({ record }) => start === undefined || positionOf(record) > start)
    .sort((a, b) => (positionOf(a.record) < positionOf(b.record) ? -1 : 1));
  const results = rest.slice(0, PAGE_SIZE);
  return { results, next: results.at(-1)?.record.id ?? null };
}

/** Returns the sort key of sessions: their creation, then their ids. */
export function positionOf({ createdAt, id }: Pick<SessionRecord, 'createdAt' | 'id'>): string {
  return `${createdAt} ${id}`;
}
