import { join } from 'node:path';
import type { Config } from '../config/load-config.js';
import type { JoinedCluster } from './join-cluster.js';
import type { Log } from '../platform/log.js';
import { systemClock } from '../platform/time/clock.js';
import { FileRecordingIndex } from '../recordings/records/file-recording-index.js';
import { FileReplayTokens } from '../recordings/tokens/file-replay-tokens.js';
import { PostgresRecordingIndex } from '../recordings/records/postgres-recording-index.js';
import { PostgresReplayTokens } from '../recordings/tokens/postgres-replay-tokens.js';
import { RecordingDirectory } from '../recordings/recording-directory.js';
import { S3Blobs } from '../recordings/blobs/s3-blobs.js';
import type { EventQueue } from '../sessions/ports.js';
import { thumbnailReader } from '../recordings/thumbnails/thumbnail-process.js';
import { Recordings } from '../sessions/recordings/recordings.js';
import { makeConfiguredDirectory } from './configured-directories.js';

/** Parts of the service that its recordings need. */
export interface RecordingParts {
  log: Log;
  /** Undefined for a single machine. */
  joined: JoinedCluster | undefined;
  events: EventQueue;
  /** Key of encrypted recordings, 32 bytes. */
  key: Uint8Array;
}

/**
 * Opens the recordings. In a cluster, their index is in the database. All nodes must then use the same store
 * for the files, or see the same directory.
 */
export async function openRecordings(
  config: Config,
  { log, joined, events, key }: RecordingParts,
): Promise<Recordings> {
  const { recordingsUrl, recordingsEncryption } = config;
  const { recordingsMb: maxMb, recordingsBufferMb: maxWaitingMb, recordingDays: days } = config;
  const root = config.recordingsDir ?? join(config.stateDir, 'recordings');
  await makeConfiguredDirectory('RECORDINGS_DIR', root);
  const store = recordingsUrl && (await S3Blobs.open(recordingsUrl));
  const files = await RecordingDirectory.open(root, { store, key, encrypts: recordingsEncryption === 'on' });
  const index = joined
    ? new PostgresRecordingIndex(joined.database, joined.cluster.incarnation.code)
    : await FileRecordingIndex.open(root, log);
  const tokens = joined ? new PostgresReplayTokens(joined.database) : await FileReplayTokens.open(root, log);
  return new Recordings({
    ...{ index, files, tokens, events, log, maxMb, maxWaitingMb, days },
    readPicture: thumbnailReader(),
    clock: systemClock,
  });
}
