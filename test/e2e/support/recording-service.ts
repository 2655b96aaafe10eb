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
  #service: Service;

  private constructor(
    service: Service,
    readonly directory: string,
    private readonly environment: Record<string, string>,
  ) {
    this.#service = service;
  }

  static async start(): Promise<RecordingService> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-recordings-'));
    atEnd(() => rm(directory, { recursive: true, force: true }));
    const environment = { RECORDINGS_DIR: directory, RECORDINGS_ENCRYPTION: 'off' };
    return new RecordingService(await Service.start(environment), directory, environment);
  }

  get service(): Service {
    return this.#service;
  }

  /** Kills the service, and starts it again in its directories. */
  async kill(): Promise<void> {
    const { process: killed, pid, directory } = this.#service;
    process.kill(pid, 'SIGKILL');
    await until('the service has ended', () => !killed.running);
    this.#service = await Service.startIn(directory, this.environment);
  }

  /** Returns the recordings of a session, newest first. */
  async recordingsOf(session: Session): Promise<Recording[]> {
    const { body } = await this.service.request('GET', `/v0/recordings?session=${session.session_id}`);
    return body['results'] as Recording[];
  }

  /** Returns the newest recording of a session. */
  async recordingOf(session: Session): Promise<Recording> {
    const [recording] = await this.recordingsOf(session);
    assert.ok(recording, 'there is no recording');
    return recording;
  }

  /**
   * Resolves when this number of further seconds is recorded. Returns the seconds of the whole recording.
   */
  async recordMore(session: Session, seconds: number, timeout?: number): Promise<number> {
    const now = async () => (await this.recordingsOf(session))[0]?.seconds ?? 0;
    const before = await now();
    const isEnough = async () => (await now()) > before + seconds;
    await until(`${seconds} more seconds are recorded`, isEnough, timeout);
    return now();
  }

  /** Resolves to the recording of a session when it is complete. A recording is listed after it has begun. */
  completeRecordingOf(session: Session): Promise<Recording> {
    return until('the recording is complete', async () => {
      const [recording] = await this.recordingsOf(session);
      return recording?.state === 'ready' && recording;
    });
  }
}
