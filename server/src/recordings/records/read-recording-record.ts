import type { RecordingRecord } from '../../sessions/recordings/recording-record.js';
import { parseJson } from '../../platform/parse-json.js';

/**
 * Reads an entry of the index from JSON. Returns undefined if it is not an entry. Checks only the required
 * fields, because the service itself wrote the entry.
 */
export function readRecordingRecord(text: string): RecordingRecord | undefined {
  const value = parseJson(text) as Partial<RecordingRecord> | null | undefined;
  const complete =
    typeof value?.id === 'string' && typeof value.sessionId === 'string' && !!value.settings && !!value.state;
  return complete ? ({ users: [], webhook: null, ...value } as RecordingRecord) : undefined;
}
