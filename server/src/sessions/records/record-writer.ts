import type { Log } from '../../platform/log.js';
import type { Registry } from '../ports.js';
import type { SessionRecord } from './session-record.js';
import { SupersededError } from '../creation/superseded-error.js';

/** Number of records that a retry writes in parallel. */
const AT_ONCE = 50;

/** Saves records of sessions in the background. Keeps the records of failed writes for a retry. */
export class RecordWriter {
  readonly #saves = new Set<Promise<void>>();
  /** Records that could not be written, by session. */
  readonly #unsaved = new Map<string, SessionRecord>();
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

  write(record: SessionRecord): void {
    const save = this.#save(record);
    this.#saves.add(save);
    void save.finally(() => this.#saves.delete(save));
  }

  /** Retries all failed writes. */
  async retry(): Promise<void> {
    const records = [...this.#unsaved.values()];
    for (let at = 0; at < records.length; at += AT_ONCE)
      await Promise.all(records.slice(at, at + AT_ONCE).map((record) => this.#save(record)));
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#saves);
  }

  /**
   * Corrects a record after another process has replaced this one, because that process has recorded the
   * session as crashed.
   */
  async #correct(record: SessionRecord, superseded: SupersededError): Promise<void> {
    try {
      if (record.ended?.reason !== 'taken_over' || !this.registry.saveTakenOver) throw superseded;
      await this.registry.saveTakenOver(record);
    } catch (error) {
      this.log.warn('a session record is not saved', { session: record.id, error });
    }
  }

  async #save(record: SessionRecord): Promise<void> {
    try {
      await this.registry.save(record);
      this.#unsaved.delete(record.id);
    } catch (error) {
      if (error instanceof SupersededError) {
        this.#unsaved.delete(record.id);
        await this.#correct(record, error);
        return;
      }
      // Logs the error once for each record, because retries may continue for hours.
      if (this.#unsaved.get(record.id) !== record)
        this.log.error('a session record could not be saved', { session: record.id, error });
      const first = this.#unsaved.size === 0;
      this.#unsaved.set(record.id, record);
      if (first) this.onUnsaved();
    }
  }
}
