import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../../../server/src/database/database.js';
import { DatabaseError, type DatabaseProblem } from '../../../../server/src/database/database-error.js';
import { FLUSH_MS, PostgresEventStore } from '../../../../server/src/webhooks/postgres-event-store.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';
import { eventOf } from '../../../support/contracts/event-store-contract.js';

/**
 * A store on a database that is unavailable until `state.available` is set. `state.problems`: the failures of
 * writes, by the ids of events.
 */
function setUp() {
  const stored = new Set<string>();
  /** `onAdd` is called before an event is added. The event is added when the result has resolved. */
  const state: {
    available: boolean;
    onAdd: (id: string) => Promise<void>;
    problems: Map<string, DatabaseProblem>;
  } = {
    available: false,
    onAdd: () => Promise.resolve(),
    problems: new Map(),
  };
  const database: Pick<Database, 'rows' | 'watch'> = {
    rows: async ({ name }, values) => {
      const id = values?.[0];
      if (!state.available) throw new DatabaseError('unreachable', 'The database cannot be reached.');
      const problem = state.problems.get(String(id));
      if (problem) throw new DatabaseError(problem, 'The statement failed.');
      if (name === 'event_remove') stored.delete(String(id));
      else {
        await state.onAdd(String(id));
        stored.add(String(id));
      }
      return [];
    },
    watch: () => () => undefined,
  };
  const clock = new ManualClock();
  const store = new PostgresEventStore({ database, node: 'aaaaaa', clock, log: quiet });
  return { store, stored, state, clock };
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

describe('events that could not be stored', () => {
  const ids = [1, 2, 3].map((nth) => eventOf(nth).id);

  it('are stored at the end, except for those whose writes fail', async () => {
    for (const problem of ['refused', 'slow'] as const) {
      const { store, stored, state } = setUp();
      for (const nth of [1, 2, 3]) await store.add(eventOf(nth));
      state.available = true;
      state.problems.set(eventOf(1).id, problem);
      await store.close();
      assert.deepEqual([...stored], ids.slice(1), problem);
    }
  });

  it('are tried at the end only for a while if every write is slow', async () => {
    const { store, state, clock } = setUp();
    for (const nth of [1, 2, 3]) await store.add(eventOf(nth));
    state.available = true;
    const tried: string[] = [];
    state.onAdd = async (id) => {
      tried.push(id);
      await turn();
      clock.advance(FLUSH_MS - 1);
      throw new DatabaseError('slow', 'The database did not finish in time.');
    };
    await store.close();
    assert.deepEqual(tried, ids.slice(0, 2));
  });

  it('are tried once more at the end if an earlier retry is just failing', async () => {
    const { store, stored, state } = setUp();
    await store.add(eventOf(1));
    state.available = true;
    let fail: () => void = () => undefined;
    state.onAdd = () =>
      new Promise<void>((_resolve, reject) => {
        fail = () => reject(new DatabaseError('slow', 'The database did not finish in time.'));
      });
    const retried = store.flush();
    const closed = store.close();
    state.onAdd = () => Promise.resolve();
    fail();
    await Promise.all([retried, closed]);
    assert.deepEqual([...stored], [eventOf(1).id]);
  });
});

describe('rows of the database that are not events', () => {
  it('are ignored', async () => {
    const rows = ['null', '[]', 'x', '{"id":"1"}', JSON.stringify(eventOf(1))].map((event) => ({ event }));
    const database = { rows: () => Promise.resolve(rows), watch: () => () => undefined };
    const parts = { node: 'aaaaaa', clock: new ManualClock(), log: quiet };
    const store = new PostgresEventStore({ ...parts, database: database as unknown as Database });
    assert.deepEqual(await store.all(), [eventOf(1)]);
    await store.close();
  });
});
