import { RecordedUsers } from './recorded-users.js';
import type { RecordingFiles } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';

/**
 * Repairs the files of a recording that a killed service left. Returns its entry, for its completion. A
 * recording that had ended keeps its reason.
 */
export async function recovered(
  record: RecordingRecord,
  files: Pick<RecordingFiles, 'repair' | 'size' | 'read'>,
): Promise<RecordingRecord> {
  const { id, startedAt } = record;
  const size = await files.repair(id);
  const events = (await files.size(id, 'events')) ?? 0;
  const users = await RecordedUsers.in(files.read(id, 'events', 0, events - 1));
  const endedAt = record.endedAt ?? new Date(Date.parse(startedAt) + size.seconds * 1000).toISOString();
  const end = record.end ?? 'interrupted';
  return { ...record, ...size, users, state: 'finalizing', endedAt, end };
}
