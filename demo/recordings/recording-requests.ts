import { request } from '../api.js';

/** A recording in the service's answer. */
export interface Recording {
  id: string;
  session_id: string;
  tenant_id: string | null;
  tag: string | null;
  users: string[];
  state: 'recording' | 'finalizing' | 'ready' | 'failed';
  start_date: string;
  seconds: number;
  bytes: number;
}

/** A page of the list. */
export interface RecordingPage {
  results: Recording[];
  /** Start of the next page. Null on the last page. */
  next: string | null;
}

/** A token that reads one recording, with addresses that contain it. */
export interface ReplayToken {
  url: string;
  video_url: string;
}

/** Seconds for which a token is valid: long enough to watch a long recording. */
const TOKEN_SECONDS = 12 * 3600;

/** Returns a page of recordings, newest first. */
export async function listRecordings(
  key: string,
  filters: Readonly<Record<string, string>>,
  after: string | undefined,
): Promise<RecordingPage> {
  const query = new URLSearchParams({ ...filters, ...(after !== undefined && { after_id: after }) });
  return (await request(`/v0/recordings?${query}`, { key })) as RecordingPage;
}

/** Issues a token for one recording. */
export async function replayToken(key: string, id: string): Promise<ReplayToken> {
  const body = { ttl: TOKEN_SECONDS };
  return (await request(`/v0/recordings/${id}/tokens`, { method: 'POST', key, body })) as ReplayToken;
}

export async function deleteRecording(key: string, id: string): Promise<void> {
  await request(`/v0/recordings/${id}`, { method: 'DELETE', key });
}

/** Returns an address of the service for this page's own origin. A proxy may have another public address. */
export function onThisOrigin(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
