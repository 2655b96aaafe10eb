import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../../../server/src/database/database.js';
import { DatabaseError } from '../../../../server/src/database/database-error.js';
import { PostgresEventStore } from '../../../../server/src/webhooks/postgres-event-store.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';
import { eventOf } from '../../../support/contracts/event-store-contract.js';

/** A store on a database that is unavailable until `state.available` is set. */
function setUp() {
  const stored = new Set<string>();
  /** `onAdd` is called before an event is added. The event is added when the result has resolved. */
  const state: { available: boolean; onAdd: (id: string) => Promise<void> } = {
    available: false,
    onAdd: () => Promise.resolve(),
  };
  const database: Pick<Database, 'rows' | 'watch'> = {
    rows: async ({ name }, values) => {
      const id = values?.[0];
      if (!state.available) throw new DatabaseError('unreachable', 'The database cannot be reached.');
      if (name === 'event_remove') stored.delete(String(id));
      else {
        await state.onAdd(String(id));
        stored.add(String(id));
      }
      return [];
    },
    watch: () => () => undefined,
  };
  const store = new PostgresEventStore({ database, node: 'aaaaaa', clock: new ManualClock(), log: quiet });
  return { store, stored, state };
}

describe('events that are delivered while the database becomes available', () => {
  it('are not stored after their delivery', async () => {
    const { store, stored, state } = setUp();
    for (const nth of [1, 2, 3]) await store.add(eventOf(nth));
    state.available = true;
    let resume: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (resume = resolve));
    state.onAdd = (id) => (id === eventOf(1).id ? held : Promise.resolve());
    const flushed = store.flush();
    await turn();
    await store.remove(eventOf(2).id);
    resume();
    await flushed;
    assert.deepEqual([...stored], [eventOf(1).id, eventOf(3).id]);
  });

  it('are removed again if they were being stored during their delivery', async () => {
    const { store, stored, state } = setUp();
    await store.add(eventOf(1));
    state.available = true;
    let resume: () => void = () => undefined;
    state.onAdd = () => new Promise<void>((resolve) => (resume = resolve));
    const flushed = store.flush();
    await turn();
    await store.remove(eventOf(1).id);
    resume();
    await flushed;
    assert.deepEqual([...stored], []);
  });
});
