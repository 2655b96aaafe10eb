import { join } from 'node:path';
import type { Config } from './config/load-config.js';
import type { JoinedCluster } from './join-cluster.js';
import type { Log } from './platform/log.js';
import { systemClock } from './platform/time/clock.js';
import { FileRecordingIndex } from './recordings/file-recording-index.js';
import { FileReplayTokens } from './recordings/file-replay-tokens.js';
import { PostgresRecordingIndex } from './recordings/postgres-recording-index.js';
import { PostgresReplayTokens } from './recordings/postgres-replay-tokens.js';
import { RecordingDirectory } from './recordings/recording-directory.js';
import { Recordings } from './sessions/recordings/recordings.js';

/**
 * Opens the recordings in their directory. Their index is in the database, if there is one. Then all nodes
 * must see the same directory.
 */
export async function openRecordings(
  config: Config,
  log: Log,
  joined: JoinedCluster | undefined,
): Promise<Recordings> {
  const { stateDir, recordingsDir, recordingsMb: maxMb, recordingDays: days } = config;
  const root = recordingsDir ?? join(stateDir, 'recordings');
  const files = await RecordingDirectory.open(root);
  const index = joined
    ? new PostgresRecordingIndex(joined.database, joined.cluster.incarnation.code)
    : await FileRecordingIndex.open(root, log);
  const tokens = joined ? new PostgresReplayTokens(joined.database) : await FileReplayTokens.open(root, log);
  return new Recordings({ ...{ index, files, tokens, log, maxMb, days }, clock: systemClock });
}
