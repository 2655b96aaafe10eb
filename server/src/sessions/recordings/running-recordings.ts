import { randomUUID } from 'node:crypto';
import type { RecordingSettings } from '../../create-fields/values/recording-request.js';
import type { Log } from '../../platform/log.js';
import { endDate, type Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { RecordingEnd } from '../../recording-protocol.js';
import { ServiceError } from '../../service-error.js';
import type {
  RecordedSession,
  RecordingFiles,
  RecordingHost,
  RecordingIndex,
  RecordingWriter,
} from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';
import type { RecordingRoom } from './recording-room.js';
import { RecordingRun } from './recording-run.js';

/** Longest time in milliseconds for which a start waits until the last seconds of its session are saved. */
const RING_WAIT_MS = 10_000;

/** Dependencies of {@link RunningRecordings}. */
export interface RunningRecordingsParts {
  index: Pick<RecordingIndex, 'save'>;
  files: Pick<RecordingFiles, 'create' | 'remove'>;
  room: Pick<RecordingRoom, 'require' | 'full' | 'add'>;
  clock: Clock;
  log: Log;
  /** Removes a recording with its files. */
  discard: (id: string) => Promise<void>;
  /** Called with the entry of a recording that has ended. All its parts are written. */
  onWritten: (record: RecordingRecord) => void;
}

/** Recordings that run in this process: starts them, and saves their ends. A session has at most one. */
export class RunningRecordings {
  /** Running recordings by the id of their session. */
  readonly #runs = new Map<string, RecordingRun>();
  /** Promises by recording id. Each resolves when the end of its recording is saved. */
  readonly #finishing = new Map<string, Promise<void>>();
  /** Promises by session id. Each resolves when the last seconds of the session are saved. */
  readonly #savingRings = new Map<string, Promise<void>>();
  /** Number of the newest recording. It distinguishes the recordings of one session. */
  #lastNumber = 0;

  constructor(private readonly parts: RunningRecordingsParts) {}

  get all(): Iterable<RecordingRun> {
    return this.#runs.values();
  }

  ofSession(sessionId: string): RecordingRun | undefined {
    return this.#runs.get(sessionId);
  }

  find(id: string): RecordingRun | undefined {
    return [...this.#runs.values()].find(({ record }) => record.id === id);
  }

  /** Resolves when the end of a recording is saved. Resolves at once if the recording does not run. */
  async finished(id: string): Promise<void> {
    await this.#finishing.get(id);
  }

  /** Resolves when the ends of all recordings are saved. */
  async allFinished(): Promise<void> {
    await Promise.all(this.#finishing.values());
  }

  /**
   * Starts a recording of a session. Waits while the last seconds of the session are saved, because the
   * caller cannot stop this. Throws {@link ServiceError}.
   *
   * @param options `fromRing`: true to record only the last seconds, which the session's host has in memory
   */
  async start(
    session: RecordedSession,
    settings: RecordingSettings,
    { fromRing = false } = {},
  ): Promise<RecordingRecord> {
    const { clock } = this.parts;
    const late = () => Promise.reject(new ServiceError('err_recording_running', 'last seconds'));
    const until = clock.now() + RING_WAIT_MS;
    // Of several requests that wait, the first continues. The others find its promise in the map.
    for (let saving; (saving = this.#savingRings.get(session.id));)
      await withTimeout(saving, Math.max(0, until - clock.now()), late, clock);
    const started = this.#start(session, settings, fromRing);
    if (fromRing) {
      const saving = started
        .then(({ id }) => this.finished(id))
        // The caller receives the error of the start.
        .catch(() => undefined)
        .finally(() => this.#savingRings.delete(session.id));
      this.#savingRings.set(session.id, saving);
    }
    return started;
  }

  async #start(
    session: RecordedSession,
    settings: RecordingSettings,
    fromRing: boolean,
  ): Promise<RecordingRecord> {
    if (this.#runs.has(session.id)) throw new ServiceError('err_recording_running');
    const { index, files, room, clock, log, discard } = this.parts;
    room.require();
    await session.recordingHost();
    const record: RecordingRecord = {
      ...{ id: randomUUID(), sessionId: session.id, tenantId: session.tenantId, tag: session.tag },
      ...{ webhook: session.webhook, settings, state: 'recording' },
      ...{ startedAt: clock.date().toISOString(), endedAt: null },
      ...{ users: [], seconds: 0, bytes: 0, end: null },
    };
    const writer = await files.create(record.id);
    try {
      await index.save(record);
    } catch (error) {
      await this.#close(writer);
      await files
        .remove(record.id)
        .catch((cause: unknown) => log.error('could not remove a recording', { error: cause }));
      throw error;
    }
    let host: RecordingHost;
    try {
      // The session may have ended meanwhile, or another request may have started a recording.
      host = await session.recordingHost();
      if (this.#runs.has(session.id)) throw new ServiceError('err_recording_running');
    } catch (error) {
      await this.#close(writer);
      await discard(record.id);
      throw error;
    }
    const number = ++this.#lastNumber;
    const run = new RecordingRun({
      ...{ number, record, writer, fromRing },
      full: () => room.full,
      endRecording: (reason) => host.endRecording(number, reason),
      requestKeyFrame: () => host.requestKeyFrame(number),
      onBytes: (bytes) => room.add(bytes),
      onError: (error) => log.error('could not write a recording', { recording: record.id, error }),
    });
    this.#runs.set(session.id, run);
    const { audio, fps, events, maxSeconds } = settings;
    host.record({ number, audio, fps, events, maxSeconds, fromRing }, run);
    const finishing = run.ended.then((end) => this.#finish(session, run, end, writer));
    this.#finishing.set(record.id, finishing);
    void finishing.finally(() => this.#finishing.delete(record.id));
    return record;
  }

  async #finish(
    session: RecordedSession,
    run: RecordingRun,
    end: RecordingEnd,
    writer: RecordingWriter,
  ): Promise<void> {
    const { index, log, clock, onWritten } = this.parts;
    await this.#close(writer);
    const { record } = run;
    const startedAt = run.startedAt(clock.date());
    const endedAt = endDate(clock, startedAt, record.seconds);
    const written: RecordingRecord = { ...record, state: 'finalizing', end, startedAt, endedAt };
    // Saves the end now, because the completion may take long and the service may be killed meanwhile.
    await index
      .save(written)
      .catch((error: unknown) => log.error('could not store the end of a recording', { error }));
    onWritten(written);
    this.#runs.delete(session.id);
  }

  /** Closes the files of a recording. A failure is only logged, because the caller has more to do. */
  async #close(writer: RecordingWriter): Promise<void> {
    const { log } = this.parts;
    await writer.close().catch((error: unknown) => log.error('could not close a recording', { error }));
  }
}
