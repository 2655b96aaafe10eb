import type { Log } from '../../../platform/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import { Lanes } from '../../../platform/time/lanes.js';
import type { EventQueue } from '../../ports.js';
import type { RecordingFiles, RecordingIndex } from '../recording-ports.js';
import type { RecordingRecord } from '../recording-record.js';
import { RecordingRetries } from './recording-retries.js';

/** Maximum number of recordings that are moved at the same time. */
const PARALLEL_MOVES = 2;
/**
 * Time in milliseconds to add indexes to videos when the service ends. After this time, the remaining videos
 * stay without an index.
 */
const LAST_INDEX_MS = 5_000;

/** Dependencies of {@link RecordingCompletion}. */
export interface RecordingCompletionParts {
  index: Pick<RecordingIndex, 'save' | 'removedElsewhere'>;
  files: Pick<RecordingFiles, 'move' | 'moves' | 'index'>;
  events: EventQueue;
  clock: Pick<Clock, 'setTimeout'>;
  log: Log;
  /** Called when the size of a recording's files has changed by this many bytes. */
  onResized: (bytes: number) => void;
  /**
   * Called when the files of a recording do not wait for a move: they are in their store, are lost, or stay
   * on this machine.
   */
  onMoved: (record: RecordingRecord) => void;
}

/**
 * Completes recordings whose files are written. Adds an index (a table for seeking) to the video, moves the
 * files to their store if there is one, sends the webhook event, and stores the final state.
 */
export class RecordingCompletion {
  readonly #retries: RecordingRetries;
  readonly #lanes = new Lanes(PARALLEL_MOVES);
  /** Adds an index to only one video at a time, because all videos share one disk. */
  readonly #indexLane = new Lanes(1);
  readonly #end = new AbortController();
  readonly #work = new Set<Promise<void>>();
  /** Recordings that are being completed, by their id. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Recordings whose video is being rewritten. */
  readonly #indexing = new Map<string, Promise<unknown>>();
  /**
   * Entries of recordings that are being completed, and of complete recordings whose entry is not saved yet.
   */
  readonly #unsaved = new Map<string, RecordingRecord>();
  /** The running writes of final entries, by the id of the recording. */
  readonly #saving = new Map<string, Promise<void>>();

  constructor(private readonly parts: RecordingCompletionParts) {
    this.#retries = new RecordingRetries(parts);
  }

  /** Returns the newest entry of a recording, if it is not saved yet. */
  unsaved(id: string): RecordingRecord | undefined {
    return this.#unsaved.get(id);
  }

  /**
   * Forgets a recording that is removed. If a write of its entry is running, waits for the end of this write.
   */
  async forget(id: string): Promise<void> {
    this.#unsaved.delete(id);
    await this.#saving.get(id)?.catch(() => undefined);
  }

  /**
   * Completes a recording. Resolves when its state is final, or after {@link close}. The entry may not be
   * saved yet.
   */
  complete(written: RecordingRecord): Promise<void> {
    const { id } = written;
    this.#unsaved.set(id, written);
    const work = this.#track(this.#complete(written));
    this.#underWay.set(id, work);
    void work.finally(() => this.#underWay.delete(id));
    return work;
  }

  /** Resolves when the video of a recording is no longer being rewritten. */
  async indexed(id: string): Promise<void> {
    await this.#indexing.get(id);
  }

  /** Resolves when a recording is no longer being completed. */
  async completed(id: string): Promise<void> {
    await this.#underWay.get(id);
  }

  /**
   * Completes a recording as soon as `repair` resolves to its repaired entry. Repeats `repair` until it
   * succeeds.
   */
  completeLater(record: RecordingRecord, repair: () => Promise<RecordingRecord>): void {
    const { id } = record;
    this.#unsaved.set(id, record);
    const repaired = this.#retries.run('could not read an unfinished recording', id, repair);
    void this.#track(repaired.then((written) => written && this.complete(written)));
  }

  /**
   * Stops the retries of failed steps. Resolves when no work is running. The next start of the service
   * completes the rest.
   */
  async close(): Promise<void> {
    this.#retries.close();
    const timer = this.parts.clock.setTimeout(() => this.#end.abort(), LAST_INDEX_MS);
    while (this.#work.size > 0) await Promise.all(this.#work);
    timer.cancel();
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    try {
      await work;
    } finally {
      this.#work.delete(work);
    }
  }

  async #complete(ended: RecordingRecord): Promise<void> {
    const { files, log, onMoved } = this.parts;
    const { id, seconds } = ended;
    const indexing = this.#indexed(ended);
    this.#indexing.set(id, indexing);
    const written = await indexing;
    this.#indexing.delete(id);
    const move = () => this.#lanes.run(() => files.move(id));
    const moved =
      seconds === 0 || !files.moves
        ? true
        : await this.#retries.run('could not move a recording to its store', id, move);
    if (moved === undefined) return;
    onMoved(written);
    const done: RecordingRecord = {
      ...{ ...written, webhook: null },
      state: moved && seconds > 0 ? 'ready' : 'failed',
    };
    if (await this.#isRemoved(id)) {
      log.info('another node has removed a recording of this node', { recording: id });
      this.#unsaved.delete(id);
      return;
    }
    // Sets the final state first, because the receiver of the event may read the recording at once.
    this.#unsaved.set(id, done);
    await this.#notify(done, written.webhook);
    try {
      await this.#save(done);
    } catch (error) {
      log.error('could not store the end of a recording', { recording: id, error });
      const save = () => this.#save(done);
      void this.#track(
        this.#retries.run('could not store the end of a recording', id, save).then(() => undefined),
      );
    }
  }

  /**
   * True if another node has removed the recording, because this node was away. If the index does not answer,
   * the recording counts as present.
   */
  async #isRemoved(id: string): Promise<boolean> {
    const removed = await this.parts.index.removedElsewhere().catch((): string[] => []);
    return removed.includes(id);
  }

  /** Adds an index to the video. A video without an index can be played too, so an error is only logged. */
  async #indexed(written: RecordingRecord): Promise<RecordingRecord> {
    const { files, log, onResized } = this.parts;
    const { id, seconds, bytes } = written;
    if (seconds === 0) return written;
    try {
      const { signal } = this.#end;
      const change = await this.#indexLane.run(() => files.index(id, signal));
      onResized(change);
      return { ...written, bytes: bytes + change };
    } catch (error) {
      log.warn('could not add an index to a recording', { recording: id, error });
      return written;
    }
  }

  async #save(done: RecordingRecord): Promise<void> {
    const { id } = done;
    if (this.#unsaved.get(id) !== done) return;
    const saving = this.parts.index.save(done);
    this.#saving.set(id, saving);
    try {
      await saving;
      this.#unsaved.delete(id);
    } finally {
      this.#saving.delete(id);
    }
  }

  async #notify(
    { id, sessionId, state, seconds, bytes, end }: RecordingRecord,
    webhook: RecordingRecord['webhook'],
  ): Promise<void> {
    const { events, log } = this.parts;
    log.info('recording ended', {
      ...{ audit: 'recorded', session: sessionId, recording: id, state, end, seconds, bytes },
    });
    if (!webhook) return;
    const type = state === 'ready' ? 'recording.ready' : 'recording.failed';
    const body = { session_id: sessionId, type, recording_id: id, seconds, bytes, end };
    try {
      await events.add({ sessionId, ...webhook, body });
    } catch (error) {
      log.error('could not store an event', { session: sessionId, body, error });
    }
  }
}
