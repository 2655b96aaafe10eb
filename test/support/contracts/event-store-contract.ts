import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventStore, StoredEvent } from '../../../server/src/webhooks/event-store.js';

/** Opens a store of events, and later another one on the same data, as the next process does. */
export interface EventStoreUnderTest {
  store: EventStore;
  reopen: () => Promise<EventStore>;
}

/** The `nth` event of a session. */
export function eventOf(nth: number, sessionId = 'session'): StoredEvent {
  return {
    id: `${String(nth).padStart(16, '0')}-abc`,
    createdAt: '2030-01-01T00:00:00.000Z',
    sessionId,
    url: 'https://example.com/hook',
    bearer: 'secret',
    body: { type: 'absolute', text: '\0 \ud800' },
  };
}

/** Contract of every store of events. */
export function eventStoreContract(name: string, open: () => Promise<EventStoreUnderTest>): void {
  describe(`an event store (${name})`, () => {
    it('keeps events over a restart, in the order of their ids', async () => {
      const { store, reopen } = await open();
      for (const nth of [2, 1, 3]) await store.add(eventOf(nth));
      await store.remove(eventOf(3).id);
      assert.deepEqual(await (await reopen()).all(), [eventOf(1), eventOf(2)]);
    });

    it('accepts events that are added or removed twice', async () => {
      const { store, reopen } = await open();
      for (let time = 0; time < 2; time++) await store.add(eventOf(1));
      assert.equal((await (await reopen()).all()).length, 1);
      for (let time = 0; time < 2; time++) await store.remove(eventOf(1).id);
      assert.deepEqual(await (await reopen()).all(), []);
    });
  });
}
