import type { SessionRecord, SessionStatus } from './session-record.js';

/** Sessions on one page of the list. */
export const PAGE_SIZE = 100;

/** A part of the list of sessions. */
export interface SessionPage {
  results: SessionStatus[];
  /** The id to continue behind, or null at the end. */
  next: string | null;
}

/**
 * The page that follows `after`. Sessions stand in the order of their creation, so one that ends between two requests, even
 * `after` itself, moves no other.
 */
export function pageOf(sessions: readonly SessionStatus[], after: SessionRecord | undefined): SessionPage {
  const start = after && positionOf(after);
  const rest = sessions
    .filter(({ record }) => start === undefined || positionOf(record) > start)
    .sort((a, b) => (positionOf(a.record) < positionOf(b.record) ? -1 : 1));
  const results = rest.slice(0, PAGE_SIZE);
  return { results, next: rest.length > PAGE_SIZE ? (results.at(-1)?.record.id ?? null) : null };
}

function positionOf({ createdAt, id }: SessionRecord): string {
  return `${createdAt} ${id}`;
}
