import type { RecordingSettings } from '../../create-fields/values/recording-request.js';
import type { RecordingEnd } from '../../recording-protocol.js';

/**
 * State of a recording.
 * - `recording`: the session is being recorded.
 * - `finalizing`: the recording has ended, but its files are not complete yet.
 * - `ready`: the recording is complete.
 * - `failed`: nothing was recorded, or the files are lost.
 */
export type RecordingState = 'recording' | 'finalizing' | 'ready' | 'failed';

/** Maximum number of users in an entry. */
export const MAX_USERS = 100;

/** Entry of a recording in the index. Plain JSON. */
export interface RecordingRecord {
  /** A UUID. */
  id: string;
  sessionId: string;
  tenantId: string | null;
  tag: string | null;
  /** Ids of the users and agents who were in the session. At most {@link MAX_USERS} ids. */
  users: readonly string[];
  /**
   * Endpoint that receives the event at the end. Null if there is no endpoint, or after the event was queued.
   */
  webhook: { url: string; bearer: string | null } | null;
  settings: RecordingSettings;
  state: RecordingState;
  /** RFC 3339, UTC. */
  startedAt: string;
  endedAt: string | null;
  /** Duration of the video. */
  seconds: number;
  /** Bytes of the video and of the events. */
  bytes: number;
  /** Reason of the end. */
  end: RecordingEnd | null;
}

/** One fragment of a video file. */
export interface RecordedFragment {
  /** Start and duration in seconds. */
  time: number;
  duration: number;
  /** Position and size in the file, in bytes. */
  offset: number;
  size: number;
  keyFrame: boolean;
}

/** Filter for recordings. An absent field selects all recordings. */
export interface RecordingQuery {
  sessionId?: string | undefined;
  tag?: string | undefined;
  tenantId?: string | undefined;
  /** Id of a user who was in the session. Selects only recordings that have ended. */
  user?: string | undefined;
  /** Earliest start. RFC 3339, UTC. */
  from?: string | undefined;
  /** Latest start. */
  to?: string | undefined;
}

/** Returns true if a query selects a recording. */
export function selects(query: RecordingQuery, record: RecordingRecord): boolean {
  const { sessionId, tag, tenantId, user, from, to } = query;
  return (
    (sessionId === undefined || record.sessionId === sessionId) &&
    (tag === undefined || record.tag === tag) &&
    (tenantId === undefined || record.tenantId === tenantId) &&
    (user === undefined || record.users.includes(user)) &&
    (from === undefined || record.startedAt >= from) &&
    (to === undefined || record.startedAt <= to)
  );
}

/** Compares two recordings for the order of lists: newest first, then by descending id. */
export function recordingOrder(a: RecordingRecord, b: RecordingRecord): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? 1 : -1;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}
