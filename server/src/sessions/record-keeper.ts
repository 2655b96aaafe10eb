import type { Log } from '../platform/log.js';
import type { Registry } from './ports.js';
import type { SessionRecord } from './session-record.js';
import { SupersededError } from './superseded-error.js';

/** Records that are written at the same time when all of them are tried again. */
const AT_ONCE = 50;

/** Keeps records of ended sessions, for which nobody waits, and tries again what could not be written. */
export class RecordKeeper {
  readonly #saves = new Set<Promise<void>>();
  /** Could not be written, by session. */
  readonly #unsaved = new Map<string, SessionRecord>();
  /** Told when a record could not be written, and none was waiting before. */
  onUnsaved: () => void = () => undefined;

  constructor(
    private readonly registry: Registry,
    private readonly log: Log,
  ) {}

  /** Whether something could not be written yet. */
  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  keep(record: SessionRecord): void {
    const save = this.#save(record);
    this.#saves.add(save);
    void save.finally(() => this.#saves.delete(save));
  }

  /** Tries again what could not be written. */
  async retry(): Promise<void> {
    const records = [...this.#unsaved.values()];
    for (let at = 0; at < records.length; at += AT_ONCE)
      await Promise.all(records.slice(at, at + AT_ONCE).map((record) => this.#save(record)));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#saves);
  }

  async #save(record: SessionRecord): Promise<void> {
    try {
      await this.registry.save(record);
      this.#unsaved.delete(record.id);
    } catch (error) {
      if (error instanceof SupersededError) {
        this.#unsaved.delete(record.id);
        this.log.warn('a session record is not saved', { session: record.id, problem: error.message });
        return;
      }
      // Once for each: it may be tried for hours.
      if (this.#unsaved.get(record.id) !== record)
        this.log.error('a session record could not be saved', { session: record.id, error });
      const first = this.#unsaved.size === 0;
      this.#unsaved.set(record.id, record);
      if (first) this.onUnsaved();
    }
  }
}
