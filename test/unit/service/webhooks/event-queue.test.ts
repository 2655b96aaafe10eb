import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  DurableEventQueue,
  GIVE_UP_AFTER_MS,
  MAX_WAITING_EVENTS,
} from '../../../../server/src/webhooks/event-queue.js';
import { FileEventStore } from '../../../../server/src/webhooks/event-store.js';
import { FakeWebhookClient } from '../../../fakes/fake-webhooks.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { quiet } from '../../../fakes/service-parts.js';

let directory: string;
let clock: ManualClock;
let client: FakeWebhookClient;
/** Statuses for the requests in their order, then always 200. */
let statuses: number[];
let results: string[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-browser-events-'));
  clock = new ManualClock();
  client = new FakeWebhookClient();
  statuses = [];
  results = [];
  client.answer = async () => ({ status: statuses.shift() ?? 200, text: '' });
});
afterEach(() => rm(directory, { recursive: true }));

const openStore = () => FileEventStore.open(directory, quiet);

async function openQueue(given?: FileEventStore): Promise<DurableEventQueue> {
  const onAttempt = (result: string) => results.push(result);
  return DurableEventQueue.open({
    store: given ?? (await openStore()),
    client,
    clock,
    log: quiet,
    onAttempt,
  });
}

/** A queue whose first event was sent once. */
async function openWith(first = event('s', 'inactive')): Promise<DurableEventQueue> {
  const queue = await openQueue();
  await queue.add(first);
  await settled(1);
  return queue;
}

const event = (sessionId: string, type: string) => ({
  ...{ sessionId, url: 'https://example.com/', bearer: 'b', body: { session_id: sessionId, type } },
});

const files = () => readdir(join(directory, 'events'));
const sent = () => client.requests.map(({ body }) => Object.values(body as object).join(' '));

/** Waits until nothing changes. The store uses real files. */
async function settled(count: number): Promise<void> {
  while (results.length < count) await turn();
  for (let round = 0; round < 20; round++) await turn();
}

describe('the event queue', () => {
  it('delivers an event and removes it', async () => {
    await openWith();
    while ((await files()).length > 0) await turn();
    assert.deepEqual([sent(), results], [['s inactive'], ['delivered']]);
    assert.match(client.requests[0]?.headers?.['Idempotency-Key'] ?? '', /^\d{16}-[0-9a-f]{12}$/);
    assert.equal(client.requests[0]?.bearer, 'b');
  });

  it('delivers an event of a busy session only after it is stored, so that it does not stay stored', async () => {
    const store = await openStore();
    const [add, remove] = [store.add.bind(store), store.remove.bind(store)];
    let write: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (write = resolve));
    let removals = 0;
    store.remove = async (id) => {
      await remove(id);
      removals += 1;
    };
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    client.answer = () => answered.then(() => ({ status: 200, text: '' }));
    const queue = await openQueue(store);
    await queue.add(event('s', 'warning'));
    store.add = (stored) => held.then(() => add(stored));
    const added = queue.add(event('s', 'inactive'));
    answer();
    while (removals < 1) await turn();
    await settled(1);
    assert.deepEqual(sent(), ['s warning']);
    write();
    await added;
    while (removals < 2) await turn();
    assert.deepEqual([sent(), await files()], [['s warning', 's inactive'], []]);
  });

  it('delivers the next events of a session if a delivered event cannot be removed', async () => {
    const store = await openStore();
    const remove = store.remove.bind(store);
    let added: Promise<unknown> = Promise.resolve();
    let failures = 1;
    store.remove = async (id) => {
      if (failures-- <= 0) return remove(id);
      await added;
      for (let round = 0; round < 5; round++) await turn();
      throw new Error('read-only disk');
    };
    const queue = await openQueue(store);
    added = Promise.all([queue.add(event('s', 'warning')), queue.add(event('s', 'inactive'))]);
    await settled(2);
    assert.deepEqual(sent(), ['s warning', 's inactive']);
  });

  // Proves: timeout events: retries, order, restarts
  it('retries with growing delays and the same key', async () => {
    statuses = [500, 301];
    await openWith();
    clock.advance(999);
    assert.equal(client.requests.length, 1);
    clock.advance(1);
    await settled(2);
    clock.advance(5_000);
    await settled(3);
    assert.deepEqual(results, ['failed', 'failed', 'delivered']);
    assert.equal(new Set(client.requests.map(({ headers }) => headers?.['Idempotency-Key'])).size, 1);
  });

  // Proves: timeout events: retries, order, restarts
  it('keeps the order of a session, without blocking other sessions', async () => {
    statuses = [500];
    const queue = await openWith(event('a', 'first'));
    await Promise.all([queue.add(event('a', 'second')), queue.add(event('b', 'only'))]);
    await settled(2);
    assert.deepEqual(sent(), ['a first', 'b only']);
    clock.advance(1_000);
    await settled(4);
    assert.deepEqual(sent(), ['a first', 'b only', 'a first', 'a second']);
  });

  // Proves: timeout events: retries, order, restarts
  it('survives a restart in files that only their owner can read', async () => {
    statuses = [503, 503];
    const before = await openQueue();
    await before.add(event('a', 'first'));
    await before.add(event('a', 'second'));
    await settled(1);
    before.close();
    const [name = ''] = await files();
    assert.equal((await stat(join(directory, 'events', name))).mode & 0o777, 0o600);
    for (const [name, text] of Object.entries({
      foreign: 'x',
      empty: 'null',
      list: '[]',
      half: '{"id":"1"}',
    }))
      await writeFile(join(directory, 'events', `${name}.json`), text);
    await writeFile(join(directory, 'events', 'y.json.1.tmp'), '{');
    statuses = [];
    client.requests.length = 0;
    await openQueue();
    await settled(3);
    assert.deepEqual(sent(), ['a first', 'a second']);
  });

  it('delivers an event again with the same key if its delivery was not recorded before a restart', async () => {
    const store = await openStore();
    store.remove = () => Promise.reject(new Error('read-only disk'));
    const before = await openQueue(store);
    await before.add(event('s', 'inactive'));
    await settled(1);
    before.close();
    await openQueue();
    await settled(2);
    assert.deepEqual(results, ['delivered', 'delivered']);
    assert.equal(new Set(client.requests.map(({ headers }) => headers?.['Idempotency-Key'])).size, 1);
  });

  it('gives up the oldest events of a session that has too many, except the one on its way', async () => {
    const stored = new Map<string, unknown>();
    const store = Object.assign(await openStore(), {
      add: async (given: { id: string; body: { type: string } }) =>
        void stored.set(given.id, given.body.type),
      remove: async (id: string) => void stored.delete(id),
    });
    client.answer = () => new Promise(() => undefined);
    const queue = await openQueue(store);
    const types = Array.from({ length: MAX_WAITING_EVENTS + 2 }, (_, number) => `event ${number}`);
    for (const type of types) await queue.add(event('s', type));
    await queue.add(event('other', 'inactive'));
    await turn();
    assert.deepEqual([...stored.values()], ['event 0', ...types.slice(3), 'inactive']);
    assert.deepEqual(results, ['given_up', 'given_up']);
  });

  it('gives up an event after a day', async () => {
    client.answer = () => Promise.reject(new Error('no'));
    await openWith();
    clock.advance(GIVE_UP_AFTER_MS);
    await settled(2);
    assert.deepEqual(results, ['failed', 'given_up']);
    assert.equal(clock.pending, 0);
  });

  it('does not give up an event because the clock of the machine was set ahead', async () => {
    client.answer = () => Promise.reject(new Error('no'));
    const queue = await openQueue();
    await queue.add(event('s', 'inactive'));
    await settled(1);
    clock.set(2 * GIVE_UP_AFTER_MS);
    clock.advance(1_000);
    await settled(2);
    queue.close();
    assert.deepEqual(results, ['failed', 'failed']);
  });
});
