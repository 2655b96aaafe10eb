import type { Registry } from '../../server/src/sessions/ports.js';
import { positionOf } from '../../server/src/sessions/records/session-list.js';
import { secondsOf, type SessionRecord } from '../../server/src/sessions/records/session-record.js';
import {
  monthsOf,
  sumUsage,
  usageOf,
  type Months,
  type Usage,
} from '../../server/src/sessions/records/usage.js';

/** A session registry in memory: its records live as long as the test. */
export class MemoryRegistry implements Registry {
  readonly records = new Map<string, SessionRecord>();
  /** Error of every write. */
  failure: Error | undefined;
  #retired: Usage = new Map();

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    return this.records.get(sessionId);
  }

  async unfinished(): Promise<SessionRecord[]> {
    return [...this.records.values()].filter((record) => !record.ended);
  }

  async running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]> {
    return (await this.unfinished())
      .sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
      .filter((record) => after === undefined || positionOf(record) > positionOf(after))
      .slice(0, limit);
  }

  async save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    if (this.failure) throw this.failure;
    this.records.set(record.id, record);
    await after;
  }

  async retire(endedBefore: Date, limit: number): Promise<number> {
    const old = [...this.records.values()]
      .filter(({ ended }) => ended && Date.parse(ended.at) < endedBefore.getTime())
      .slice(0, limit);
    this.#retired = sumUsage(this.#retired, usedBy(old));
    for (const { id } of old) this.records.delete(id);
    return old.length;
  }

  async usage(tenantId: string | undefined): Promise<Months> {
    const ended = [...this.records.values()].filter((record) => record.ended);
    return monthsOf(sumUsage(this.#retired, usedBy(ended)), tenantId);
  }

  async markAlive(): Promise<void> {
    if (this.failure) throw this.failure;
  }

  lastAlive(): undefined {
    return undefined;
  }
}

function usedBy(records: readonly SessionRecord[]): Usage {
  return usageOf(records.map((record) => ({ record, seconds: secondsOf(record) })));
}
