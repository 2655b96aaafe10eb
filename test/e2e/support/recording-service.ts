import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './cleanup.js';
import { Service, type Session } from './service.js';
import { until } from './until.js';

/** A recording as the service answers it. */
export type Recording = Record<string, unknown> & { id: string; state: string; seconds: number };

/** A service whose recordings lie unencrypted in a directory of the test. */
export class RecordingService {
  private constructor(
    readonly service: Service,
    readonly directory: string,
  ) {}

  static async start(): Promise<RecordingService> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-recordings-'));
    atEnd(() => rm(directory, { recursive: true, force: true }));
    const service = await Service.start({ RECORDINGS_DIR: directory, RECORDINGS_ENCRYPTION: 'off' });
    return new RecordingService(service, directory);
  }

  /** Returns the newest recording of a session. */
  async recordingOf(session: Session): Promise<Recording> {
    const { body } = await this.service.request('GET', `/v0/recordings?session=${session.session_id}`);
    const [recording] = body['results'] as Recording[];
    assert.ok(recording, 'there is no recording');
    return recording;
  }

  /** Resolves to the recording of a session when it is complete. */
  completeRecordingOf(session: Session): Promise<Recording> {
    return until('the recording is complete', async () => {
      const recording = await this.recordingOf(session);
      return recording.state === 'ready' && recording;
    });
  }
}
