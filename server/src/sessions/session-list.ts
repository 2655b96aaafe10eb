import type { SessionRecord, SessionStatus } from './session-record.js';

/** Sessions on one page of the list. */
export const PAGE_SIZE = 100;

/** A part of the list of sessions. */
export interface SessionPage {
  results: SessionStatus[];
  /** The id to continue behind; null when the page is empty. */
  next: string | null;
}

/**
 * The page that follows `after`. Sessions stand in the order of their creation, so one that ends between two requests, even
 * `after` itself, moves no other. The last page has a next as well, behind which there is an empty one: some callers go on until
 * there is no next, others until a page is empty.
 */
export function pageOf(sessions: readonly SessionStatus[], after: SessionRecord | undefined): SessionPage {
  const start = after && positionOf(after);
  const rest = sessions
    .filter(({ record }) => start === undefined || positionOf(record) > start)
    .sort((a, b) => (positionOf(a.record) < positionOf(b.record) ? -1 : 1));
  const results = rest.slice(0, PAGE_SIZE);
  return { results, next: results.at(-1)?.record.id ?? null };
}

/** What sessions are ordered by: their creation, then their ids. */
export function positionOf({ createdAt, id }: Pick<SessionRecord, 'createdAt' | 'id'>): string {
  return `${createdAt} ${id}`;
}
