import type { IssuedRecordingToken, Recording } from '../../src/api/index.js';
import { request } from '../api.js';

/** A page of the list. */
export interface RecordingPage {
  results: Recording[];
  /** Start of the next page. Null on the last page. */
  next: string | null;
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
export async function replayToken(key: string, id: string): Promise<IssuedRecordingToken> {
  const body = { ttl: TOKEN_SECONDS };
  return (await request(`/v0/recordings/${id}/tokens`, {
    method: 'POST',
    key,
    body,
  })) as IssuedRecordingToken;
}

export async function deleteRecording(key: string, id: string): Promise<void> {
  await request(`/v0/recordings/${id}`, { method: 'DELETE', key });
}

/** Returns an address of the service for this page's own origin. A proxy may have another public address. */
export function onThisOrigin(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
