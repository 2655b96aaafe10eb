import type { RecordingSettings } from '../../create-fields/values/recording-request.js';
import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import { ServiceError } from '../../service-error.js';
import type { EventQueue } from '../ports.js';
import type { RecordedSession, RecordingFiles, RecordingIndex } from './recording-ports.js';
import { RecordingCompletion } from './completion/recording-completion.js';
import { RecordingCount } from './recording-count.js';
import { RecordingRecovery } from './completion/recording-recovery.js';
import { RecordingRetirement } from './recording-retirement.js';
import { RecordingRoom, type RecordingLimits } from './recording-room.js';
import type { RecordingRun } from './recording-run.js';
import type { RecordingQuery, RecordingRecord } from './recording-record.js';
import { ReplayTokens, type ReplayTokenStore } from './replay-tokens.js';
import { RunningRecordings } from './running-recordings.js';
import { Thumbnails, type PictureReader } from './thumbnails.js';

/** Longest time in milliseconds for which a request to stop waits for the recording to be complete. */
const STOP_MS = 10_000;
/**
 * Longest time in milliseconds for which a request for a video waits until the video has its index (table for
 * seeking).
 */
const SETTLE_MS = 5_000;
/**
 * Longest time in milliseconds for which a request for the playlist of a running recording waits for the end
 * of a segment. Players give up after ten seconds.
 */
const SEGMENT_MS = 8_000;
/** Maximum number of recordings on one page of the list. */
export const RECORDINGS_PER_PAGE = 100;

/** Dependencies of {@link Recordings}. */
export interface RecordingsParts extends RecordingLimits {
  index: RecordingIndex;
  files: RecordingFiles;
  tokens: ReplayTokenStore;
  events: EventQueue;
  readPicture: PictureReader;
  clock: Clock;
  log: Log;
  /** Days for which a recording is kept. */
  days: number;
}

/** Starts, finds and removes recordings, and keeps them within their limits. */
export class Recordings {
  readonly #room: RecordingRoom;
  readonly #running: RunningRecordings;
  readonly #count: RecordingCount;
  readonly #completion: RecordingCompletion;
  readonly #retirement: RecordingRetirement;
  /** Tokens that read one recording. */
  readonly tokens: ReplayTokens;
  readonly thumbnails: Thumbnails;

  constructor(private readonly parts: RecordingsParts) {
    this.tokens = new ReplayTokens(parts.tokens, parts.clock, parts.log);
    this.#room = new RecordingRoom(parts, parts.files.moves);
    this.#running = new RunningRecordings({
      ...parts,
      room: this.#room,
      discard: (id) => this.#discard(id),
      onWritten: (record) => void this.#completion.complete(record),
    });
    const running = () => this.#running.all;
    this.#count = new RecordingCount({ ...parts, room: this.#room, running });
    this.#completion = new RecordingCompletion({
      ...parts,
      onResized: (bytes) => this.#room.add(bytes),
      onMoved: (record) => this.#room.moved(record),
    });
    this.#retirement = new RecordingRetirement({
      ...parts,
      remove: (record) => this.#removeOld(record),
      isOwn: (id) => this.#isOwn(id),
    });
    this.thumbnails = new Thumbnails(parts.files, parts.readPicture, parts.log);
  }

  /**
   * Repairs the recordings that an earlier process left unfinished, and begins to complete them. Call it
   * before the first recording starts.
   */
  async recover(): Promise<void> {
    const found = await new RecordingRecovery({
      ...this.parts,
      onFound: (record) => this.#room.found(record),
      completeLater: (record, repair) => this.#completion.completeLater(record, repair),
    }).run();
    await this.#count.start();
    // Completing a long video takes time, so the start of the service does not wait for it.
    for (const written of found) void this.#completion.complete(written);
    this.#retirement.start();
  }

  /** Throws {@link ServiceError} if there is no room for another recording. */
  requireRoom(): void {
    this.#room.require();
  }

  /**
   * Makes a recording of the last seconds of a session, which its host has in memory. Resolves when the
   * recording is complete, or after ten seconds. Throws {@link ServiceError}.
   */
  async keepRing(session: RecordedSession): Promise<RecordingRecord> {
    if (!session.ring) throw new ServiceError('err_no_ring');
    const { id } = await this.#running.start(session, session.ring, { fromRing: true });
    const run = this.#running.ofSession(session.id);
    if (run) await this.#completed(run);
    return this.require(id);
  }

  /** Starts a recording of a session. Throws {@link ServiceError}. */
  start(session: RecordedSession, settings: RecordingSettings): Promise<RecordingRecord> {
    return this.#running.start(session, settings);
  }

  /**
   * Ends a recording of a session. Resolves when the recording is complete, or after ten seconds. If
   * recordings are moved to a store, resolves when the recording has ended. Throws {@link ServiceError}, also
   * for a recording of another session.
   */
  async stop(sessionId: string, id: string): Promise<RecordingRecord> {
    const run = this.#running.ofSession(sessionId);
    if (run?.record.id === id) {
      run.end('stopped');
      await this.#completed(run);
    }
    const record = await this.require(id);
    if (record.sessionId !== sessionId) throw unknownRecording();
    return record;
  }

  /** Adds a marker to a running recording. Throws {@link ServiceError}. */
  async mark(session: RecordedSession, id: string, name: string): Promise<void> {
    const run = this.#running.ofSession(session.id);
    if (run?.record.id !== id)
      throw new ServiceError('err_not_found', 'running recording with this id in this session');
    const host = await session.recordingHost();
    host.mark(run.number, name);
  }

  /** Returns a recording. Throws {@link ServiceError} if there is none. */
  async require(id: string): Promise<RecordingRecord> {
    const record =
      this.#completion.unsaved(id) ?? this.#running.find(id)?.record ?? (await this.parts.index.get(id));
    if (!record) throw unknownRecording();
    return record;
  }

  /** Returns a page of recordings, newest first, and the id after which the next page starts. */
  async list(
    query: RecordingQuery,
    afterId: string | undefined,
  ): Promise<{ results: RecordingRecord[]; next: string | null }> {
    const after = afterId === undefined ? undefined : await this.require(afterId);
    const found = await this.parts.index.page(query, after, RECORDINGS_PER_PAGE + 1);
    const running = new Map([...this.#running.all].map(({ record }) => [record.id, record]));
    const results = found
      .slice(0, RECORDINGS_PER_PAGE)
      .map((record) => this.#completion.unsaved(record.id) ?? running.get(record.id) ?? record);
    const next = found.length > results.length ? (results.at(-1)?.id ?? null) : null;
    return { results, next };
  }

  /** Removes a recording with its files. Throws {@link ServiceError}. */
  async remove(id: string): Promise<void> {
    const record = await this.require(id);
    const { state } = record;
    const isUnfinished = state === 'recording' || state === 'finalizing';
    if (isUnfinished && (this.#isOwn(id) || !(await this.parts.index.isAbandoned(id))))
      throw new ServiceError('err_recording_running');
    await this.#removeFiles(record);
  }

  /** Removes recordings that are older than {@link RecordingsParts.days}. */
  retire(): Promise<void> {
    return this.#retirement.run();
  }

  /**
   * While the service rewrites the video of an ended recording to add an index, waits for the end of this
   * work. Waits at most five seconds. A player would show wrong pictures if it read parts of both the old and
   * the new file.
   */
  async settled(id: string): Promise<void> {
    const run = this.#running.find(id);
    const isEnding = run?.record.state === 'finalizing';
    const finished = isEnding ? this.#running.finished(id) : undefined;
    const settled = Promise.resolve(finished).then(() => this.#completion.indexed(id));
    await withTimeout(settled, SETTLE_MS, () => undefined);
  }

  /**
   * Ends the last segment in the playlist of a running recording. Resolves when the segment has ended, or
   * after eight seconds. Resolves at once if the recording does not run in this process.
   */
  async segmented(id: string): Promise<void> {
    const run = this.#running.find(id);
    if (run) await withTimeout(run.segmented(), SEGMENT_MS, () => undefined);
  }

  get files(): RecordingFiles {
    return this.parts.files;
  }

  /**
   * Stops the work on recordings. Resolves when no work is running. The next start of the service completes
   * the remaining recordings. Call it after all sessions have ended.
   */
  async close(): Promise<void> {
    this.#retirement.stop();
    this.#count.stop();
    await this.#running.allFinished();
    await this.#completion.close();
  }

  /**
   * Resolves when a recording has ended and is complete, or after ten seconds. If recordings are moved to a
   * store, does not wait for the completion.
   */
  async #completed({ ended, record: { id } }: RecordingRun): Promise<void> {
    const { files, clock } = this.parts;
    const completed = ended
      .then(() => this.#running.finished(id))
      .then(() => (files.moves ? undefined : this.#completion.completed(id)));
    // Limits the wait, because a host that hangs does not end its recording.
    await withTimeout(completed, STOP_MS, () => undefined, clock);
  }

  /** True if this process records or completes a recording. */
  #isOwn(id: string): boolean {
    return this.#running.find(id) !== undefined || this.#completion.unsaved(id) !== undefined;
  }

  async #removeOld(record: RecordingRecord): Promise<void> {
    // Without this check, the completion would find no files, and would add the entry again as a failed
    // recording.
    if (this.#isOwn(record.id)) throw new ServiceError('err_recording_running');
    await this.#removeFiles(record);
  }

  async #removeFiles(record: RecordingRecord): Promise<void> {
    await this.#discard(record.id);
    this.#room.removed(record);
  }

  async #discard(id: string): Promise<void> {
    const { files, tokens, index } = this.parts;
    await this.#completion.forget(id);
    await files.remove(id);
    await tokens.removeAll(id);
    await index.remove(id);
  }
}

function unknownRecording(): ServiceError {
  return new ServiceError('err_not_found', 'recording with this id');
}
