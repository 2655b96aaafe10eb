import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import type { EventQueue } from '../ports.js';
import { RecordingMoves } from './recording-moves.js';
import type { RecordingFiles, RecordingIndex } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';

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
  readonly #moves: RecordingMoves;
  readonly #work = new Set<Promise<void>>();
  /** Complete recordings whose entry in the index is not saved yet. */
  readonly #unsaved = new Map<string, RecordingRecord>();

  constructor(private readonly parts: RecordingCompletionParts) {
    this.#moves = new RecordingMoves(parts);
  }

  /** Returns the entry of a complete recording that the index does not have yet. */
  unsaved(id: string): RecordingRecord | undefined {
    return this.#unsaved.get(id);
  }

  /** Completes a recording. Resolves also if this failed: the next start of the service tries again. */
  complete(written: RecordingRecord): Promise<void> {
    const work = this.#complete(written).catch((error: unknown) =>
      this.parts.log.error('could not complete a recording', { recording: written.id, error }),
    );
    this.#work.add(work);
    return work.finally(() => this.#work.delete(work));
  }

  /** Stops to wait for the store. The next start of the service moves the rest. */
  async close(): Promise<void> {
    this.#moves.close();
    await Promise.all(this.#work);
  }

  async #complete(written: RecordingRecord): Promise<void> {
    const { index, files, onMoved } = this.parts;
    const { id, seconds } = written;
    const outcome = seconds > 0 && files.moves ? await this.#moves.move(id) : 'moved';
    if (outcome === 'open') return;
    onMoved(written);
    const state = seconds > 0 && outcome === 'moved' ? 'ready' : 'failed';
    const done: RecordingRecord = { ...written, state, webhook: null };
    // The receiver of the event may read the recording at once.
    this.#unsaved.set(id, done);
    try {
      await this.#notify(done, written.webhook);
      await index.save(done);
    } finally {
      this.#unsaved.delete(id);
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
