import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Database } from '../../server/src/database/database.js';
import type { WebhookRequest } from '../../server/src/sessions/ports.js';
import { DurableEventQueue, TAKE_OVER_INTERVAL_MS } from '../../server/src/webhooks/event-queue.js';
import { FileEventStore } from '../../server/src/webhooks/event-store.js';
import { PostgresEventStore } from '../../server/src/webhooks/postgres-event-store.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { eventOf, eventStoreContract } from '../support/contracts/event-store-contract.js';
import { change, databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const directories: string[] = [];
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

const storeOn = (database: Database, node = 'aaaaaa', clock = new ManualClock()) =>
  new PostgresEventStore({ database, node, clock, log: quiet });
const setState = (node: string, state: string) => ({
  name: `set_${node}_${state}`,
  text: `insert into nodes (code, name, epoch, state) values ('${node}', '${node}', 1, '${state}')
    on conflict (code) do update set state = excluded.state`,
});

eventStoreContract('files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-events-'));
  directories.push(directory);
  return {
    store: await FileEventStore.open(directory, quiet),
    reopen: () => FileEventStore.open(directory, quiet),
  };
});

eventStoreContract('PostgreSQL', async () => {
  const database = await fixture.openWithTables();
  return { store: storeOn(database), reopen: () => Promise.resolve(storeOn(database)) };
});

describe('events of several nodes', () => {
  it('are all taken over by one node per session when their own node is lost', async () => {
    const database = await fixture.openWithTables();
    await database.rows(setState('aaaaaa', 'alive'));
    const events = Array.from({ length: 40 }, (_, nth) => eventOf(nth, `session-${nth % 7}`));
    for (const event of events) await storeOn(database).add(event);
    const others = ['bbbbbb', 'cccccc', 'dddddd'];
    for (const node of others) await database.rows(setState(node, 'alive'));
    const takeOver = () => Promise.all(others.map((node) => storeOn(database, node).takeOver()));
    assert.deepEqual((await takeOver()).flat(), []);
    await database.rows(setState('aaaaaa', 'lost'));
    const taken = await takeOver();
    assert.equal(taken.flat().length, 40);
    for (const session of new Set(events.map(({ sessionId }) => sessionId))) {
      const with_ = taken.filter((list) => list.some(({ sessionId }) => sessionId === session));
      assert.equal(with_.length, 1);
    }
    for (const list of taken)
      assert.deepEqual(
        list,
        list.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      );
    assert.deepEqual((await takeOver()).flat(), []);
    assert.deepEqual(await storeOn(database).all(), []);
  });

  it('are delivered by that node in their order with the same keys', async () => {
    const database = await fixture.openWithTables();
    await database.rows(setState('bbbbbb', 'alive'));
    for (const nth of [1, 2]) await storeOn(database).add(eventOf(nth));
    const clock = new ManualClock();
    const got: (string | undefined)[] = [];
    let done: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (done = resolve));
    const post = ({ headers }: WebhookRequest) => {
      got.push(headers?.['Idempotency-Key']);
      if (got.length === 2) done();
      return Promise.resolve({ status: 200, text: '' });
    };
    const store = storeOn(database, 'bbbbbb', clock);
    const parts = { client: { post }, clock, log: quiet, onAttempt: () => undefined };
    const queue = await DurableEventQueue.open({ ...parts, store });
    clock.advance(TAKE_OVER_INTERVAL_MS);
    await both;
    assert.deepEqual(got, [eventOf(1).id, eventOf(2).id]);
    queue.close();
    await store.close();
  });
});

describe('events while the database is unreachable', () => {
  it('are delivered, and stored later if they are still undelivered', async () => {
    const database = await fixture.openWithTables({ deadline: 1_500 });
    const store = storeOn(database);
    await store.add(eventOf(1));
    await fixture.postgres.freeze();
    await store.add(eventOf(2));
    await store.add(eventOf(3));
    await store.remove(eventOf(1).id);
    await store.remove(eventOf(3).id);
    if (database.available) await change(database);
    const back = change(database);
    await fixture.postgres.thaw();
    await back;
    await store.flush();
    assert.deepEqual(await storeOn(database).all(), [eventOf(2)]);
    await store.close();
  });
});
