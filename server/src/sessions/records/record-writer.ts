import type { Log } from '../../platform/log.js';
import type { Registry } from '../ports.js';
import type { SessionRecord } from './session-record.js';
import { SupersededError } from '../creation/superseded-error.js';

/** Number of records that a retry writes in parallel. */
const AT_ONCE = 50;

/**
 * Saves records of sessions. Keeps the records of failed background writes for a retry. After the start of a
 * session, this process writes the record of the session only through this class. So a retry cannot replace a
 * newer record by an older one.
 */
export class RecordWriter {
  readonly #saves = new Set<Promise<void>>();
  /** The newest record of each session that has a running or a failed write. */
  readonly #newest = new Map<string, SessionRecord>();
  /** Sessions whose newest record could not be written. */
  readonly #unsaved = new Set<string>();
  /** Called when a write failed and no other record was waiting for a retry. */
  onUnsaved: () => void = () => undefined;

  constructor(
    private readonly registry: Registry,
    private readonly log: Log,
  ) {}

  /** True if a record could not be written yet. */
  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /**
   * Saves a record in the background, and repeats the write if it fails.
   *
   * @param after the record is stored only after this promise has resolved
   */
  write(record: SessionRecord, after?: Promise<void>): void {
    this.#newest.set(record.id, record);
    const save = this.#save(record, after);
    this.#saves.add(save);
    void save.finally(() => this.#saves.delete(save));
  }

  /**
   * Saves a record without a retry. Rejects if the write fails. Even then, the record may be stored. So after
   * a rejection, the caller must {@link write} the correct record.
   */
  async save(record: SessionRecord): Promise<void> {
    // If a retry for this session begins during this write, the retry must write this record and not an older
    // one.
    this.#newest.set(record.id, record);
    try {
      await this.registry.save(record);
      this.#forget(record);
    } catch (error) {
      if (!this.#unsaved.has(record.id)) this.#forget(record);
      throw error;
    }
  }

  /** Retries all failed writes, with the newest record of each session. */
  async retry(): Promise<void> {
    const ids = [...this.#unsaved];
    for (let at = 0; at < ids.length; at += AT_ONCE)
      await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.#retry(id)));
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#saves);
  }

  async #retry(id: string): Promise<void> {
    const record = this.#newest.get(id);
    if (record) await this.#save(record);
  }

  /**
   * Corrects the record of a session after another process has replaced this process. That process has
   * recorded the session as crashed.
   */
  async #correct(record: SessionRecord, superseded: SupersededError): Promise<void> {
    try {
      if (record.ended?.reason !== 'taken_over' || !this.registry.saveTakenOver) throw superseded;
      await this.registry.saveTakenOver(record);
    } catch (error) {
      this.log.warn('a session record is not saved', { session: record.id, error });
    }
  }

  async #save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    try {
      await this.registry.save(record, after);
      this.#forget(record);
    } catch (error) {
      if (error instanceof SupersededError) {
        this.#forget(record);
        await this.#correct(record, error);
        return;
      }
      const { id } = record;
      // Logs the error once for each session, because retries may continue for hours.
      if (!this.#unsaved.has(id))
        this.log.error('a session record could not be saved', { session: id, error });
      // A newer record of the session has its own write, so the failed record needs no retry.
      if (this.#newest.get(id) !== record) return;
      const first = this.#unsaved.size === 0;
      this.#unsaved.add(id);
      if (first) this.onUnsaved();
    }
  }

  /** Forgets a record that needs no retry. Does nothing if the session has a newer record. */
  #forget(record: SessionRecord): void {
    if (this.#newest.get(record.id) !== record) return;
    this.#newest.delete(record.id);
    this.#unsaved.delete(record.id);
  }
}
