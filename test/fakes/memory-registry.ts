import type { Registry } from '../../server/src/sessions/ports.js';
import type { SessionRecord } from '../../server/src/sessions/session-record.js';

/** Records that live as long as the test. */
export class MemoryRegistry implements Registry {
  readonly records = new Map<string, SessionRecord>();

  get(sessionId: string): Promise<SessionRecord | undefined> {
    return Promise.resolve(this.records.get(sessionId));
  }

  unfinished(): Promise<SessionRecord[]> {
    return Promise.resolve([...this.records.values()].filter((record) => !record.ended));
  }

  save(record: SessionRecord): Promise<void> {
    this.records.set(record.id, record);
    return Promise.resolve();
  }
}
