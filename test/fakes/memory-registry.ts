import type { Registry } from '../../server/src/sessions/ports.js';
import { secondsOf, type SessionRecord } from '../../server/src/sessions/session-record.js';
import { sumUsage, usageOf, type Usage } from '../../server/src/sessions/usage.js';

/** A session registry in memory: its records live as long as the test. */
export class MemoryRegistry implements Registry {
  readonly records = new Map<string, SessionRecord>();
  /** What writing fails with. */
  failure: Error | undefined;
  #retired: Usage = new Map();

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    return this.records.get(sessionId);
  }

  async unfinished(): Promise<SessionRecord[]> {
    return [...this.records.values()].filter((record) => !record.ended);
  }

  async finished(): Promise<SessionRecord[]> {
    return [...this.records.values()].filter((record) => record.ended);
  }

  async save(record: SessionRecord): Promise<void> {
    if (this.failure) throw this.failure;
    this.records.set(record.id, record);
  }

  async retire(records: readonly SessionRecord[]): Promise<void> {
    this.#retired = sumUsage(
      this.#retired,
      usageOf(records.map((record) => ({ record, seconds: secondsOf(record) }))),
    );
    for (const { id } of records) this.records.delete(id);
  }

  async retiredUsage(): Promise<Usage> {
    return this.#retired;
  }

  async markAlive(): Promise<void> {
    if (this.failure) throw this.failure;
  }

  lastAlive(): undefined {
    return undefined;
  }
}
