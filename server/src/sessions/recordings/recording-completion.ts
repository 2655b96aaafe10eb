import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { Lanes } from '../../platform/time/lanes.js';
import type { EventQueue } from '../ports.js';
import type { RecordingFiles, RecordingIndex } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';
import { RecordingRetries } from './recording-retries.js';

/** Recordings that are moved at the same time. */
const PARALLEL_MOVES = 2;

/** Dependencies of {@link RecordingCompletion}. */
export interface RecordingCompletionParts {
  index: Pick<RecordingIndex, 'save'>;
  files: Pick<RecordingFiles, 'move' | 'moves'>;
  events: EventQueue;
  clock: Pick<Clock, 'setTimeout'>;
  log: Log;
  /** Called when a recording has left this machine, or is lost. */
  onMoved: (record: RecordingRecord) => void;
}

/**
 * Completes recordings whose files are written: moves them to their store, if there is one, sends the webhook
 * event, and stores the final state.
 */
export class RecordingCompletion {
  readonly #retries: RecordingRetries;
  readonly #lanes = new Lanes(PARALLEL_MOVES);
  readonly #work = new Set<Promise<void>>();
  /** Complete recordings whose entry in the index is not saved yet. */
  readonly #unsaved = new Map<string, RecordingRecord>();

  constructor(private readonly parts: RecordingCompletionParts) {
    this.#retries = new RecordingRetries(parts);
  }

  /** Returns the entry of a complete recording that the index does not have yet. */
  unsaved(id: string): RecordingRecord | undefined {
    return this.#unsaved.get(id);
  }

  /** Forgets a recording that is removed. */
  forget(id: string): void {
    this.#unsaved.delete(id);
  }

  /** Completes a recording. Resolves when its state is final, also if the index does not accept it yet. */
  complete(written: RecordingRecord): Promise<void> {
    return this.#track(this.#complete(written));
  }

  /** Completes a recording as soon as `find` returns its entry. Tries again while that fails. */
  completeLater(id: string, find: () => Promise<RecordingRecord>): void {
    const found = this.#retries.run('could not read a recording that was cut off', id, find);
    void this.#track(found.then((written) => written && this.#complete(written)));
  }

  /** Stops waiting for the store and the index. The next start of the service completes the rest. */
  async close(): Promise<void> {
    this.#retries.close();
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    try {
      await work;
    } finally {
      this.#work.delete(work);
    }
  }

  async #complete(written: RecordingRecord): Promise<void> {
    const { files, log, onMoved } = this.parts;
    const { id, seconds } = written;
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
    // The receiver of the event may read the recording at once.
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

  async #save(done: RecordingRecord): Promise<void> {
    if (this.#unsaved.get(done.id) !== done) return;
    await this.parts.index.save(done);
    this.#unsaved.delete(done.id);
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
