import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Database } from '../../server/src/database/database.js';
import { FileRegistry } from '../../server/src/registry/file-registry.js';
import { PostgresRegistry } from '../../server/src/registry/postgres-registry.js';
import { RecordWriter } from '../../server/src/sessions/records/record-writer.js';
import { DEFAULT_SETTINGS } from '../../server/src/sessions/settings/default-settings.js';
import { MemoryRegistry } from '../fakes/memory-registry.js';
import { endAfter, NODE, recordOf, registryContract } from '../support/contracts/registry-contract.js';
import { change, databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const directories: string[] = [];
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

const registryOn = (database: Database, node = NODE, epoch = 1) =>
  new PostgresRegistry({ database, node, epoch: () => epoch, isOver: () => true });
const ADD_NODE = {
  name: 'add_node',
  text: `insert into nodes (code, name, epoch, seen_at) values ($1::text, $1::text, $2, $3)
    on conflict (code) do update set epoch = excluded.epoch, seen_at = excluded.seen_at`,
};
const addNode = (database: Database, node: string, epoch: number, seen = new Date()) =>
  database.rows(ADD_NODE, [node, epoch, seen.toISOString()]);
const COUNT_RECORDS = { name: 'count_records', text: 'select count(*) as count from sessions' };
/** The database updates and deletes rows, but accepts no new ones, as with a disk quota. */
const REFUSE_INSERTS = `
  create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'the disk quota is exceeded' using errcode = '53400'; end $$;
  create trigger refuse before insert on sessions execute function refuse()`;
const SET_STATE = { name: 'set_state', text: 'update nodes set state = $2 where code = $1' };
const setState = (database: Database, state: string) => database.rows(SET_STATE, [NODE, state]);

registryContract('files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-registry-'));
  directories.push(directory);
  return {
    registry: await FileRegistry.open(directory, quiet),
    reopen: () => FileRegistry.open(directory, quiet),
  };
});

registryContract('memory', async () => {
  const registry = new MemoryRegistry();
  return { registry, reopen: () => Promise.resolve(registry) };
});

registryContract('PostgreSQL', async () => {
  const database = await fixture.openWithTables();
  return { registry: registryOn(database), reopen: () => Promise.resolve(registryOn(database)) };
});

describe('session records of several nodes', () => {
  it('can be read by all nodes, unfinished ones only by their own', async () => {
    const database = await fixture.openWithTables();
    const other = registryOn(database, 'abcdef');
    await registryOn(database).save(recordOf(1));
    assert.equal((await other.get(recordOf(1).id))?.id, recordOf(1).id);
    assert.equal((await other.running(undefined, 10)).length, 1);
    assert.deepEqual(await other.unfinished(), []);
    assert.equal((await other.unfinishedOf(NODE)).length, 1);
  });

  it('are not changed by an earlier epoch of their node', async () => {
    const database = await fixture.openWithTables();
    const former = registryOn(database, NODE, 1);
    await former.save(recordOf(1));
    await addNode(database, NODE, 2);
    await registryOn(database, NODE, 2).save(recordOf(1, { ended: endAfter(5) }));
    const late = former.save(recordOf(1, { ended: endAfter(500) }));
    await assert.rejects(late, { code: 'err_superseded' });
    await assert.rejects(former.save(recordOf(2)), { code: 'err_superseded' });
    assert.equal((await former.usage(undefined)).get('2030-01'), 5);
    assert.equal((await former.get(recordOf(1).id))?.ended?.seconds, 5);
    assert.equal(await former.get(recordOf(2).id), undefined);
  });

  for (const order of ['before', 'after'])
    it(`are corrected by a process that lost its name, ${order} the new one has ended them`, async () => {
      const database = await fixture.openWithTables();
      const former = registryOn(database, NODE, 1);
      await former.save(recordOf(1));
      await addNode(database, NODE, 2);
      const correct = () =>
        former.saveTakenOver(recordOf(1, { ended: { ...endAfter(9), reason: 'taken_over' } }));
      const recover = () => registryOn(database, NODE, 2).save(recordOf(1, { ended: endAfter(5) }));
      for (const step of order === 'before' ? [correct, recover] : [recover, correct]) await step();
      const { ended } = (await former.get(recordOf(1).id)) ?? {};
      assert.deepEqual([ended?.reason, ended?.seconds], ['taken_over', 9]);
      assert.equal((await former.usage(undefined)).get('2030-01'), 9);
    });

  it('are ended by other nodes for a lost epoch, and start again with a new epoch', async () => {
    const database = await fixture.openWithTables();
    await addNode(database, NODE, 1);
    const lost = registryOn(database, NODE, 1);
    await lost.save(recordOf(1));
    const other = registryOn(database, 'abcdef', 7);
    await other.saveFor({ code: NODE, epoch: 1 }, recordOf(1, { ended: endAfter(5) }));
    // A delayed write of the lost node.
    await lost.save(recordOf(1));
    assert.equal((await other.get(recordOf(1).id))?.ended?.seconds, 5);
    await addNode(database, NODE, 2);
    const back = registryOn(database, NODE, 2);
    await back.save(recordOf(1));
    assert.equal((await back.unfinished()).length, 1);
    assert.equal((await back.usage(undefined)).get('2030-01') ?? 0, 0);
    await back.save(recordOf(1, { ended: endAfter(60) }));
    assert.equal((await back.usage(undefined)).get('2030-01'), 60);
    const late = other.saveFor({ code: NODE, epoch: 1 }, recordOf(1, { ended: endAfter(5) }));
    await assert.rejects(late, { code: 'err_superseded' });
  });

  it('are ended once if two nodes end them at the same time', async () => {
    const database = await fixture.openWithTables();
    await addNode(database, NODE, 1);
    await registryOn(database, NODE, 1).save(recordOf(1));
    const ended = recordOf(1, { ended: endAfter(5) });
    const results = await Promise.all(
      ['abcdef', 'ghijkl'].map((code) =>
        registryOn(database, code, 7).saveFor({ code: NODE, epoch: 1 }, ended),
      ),
    );
    assert.deepEqual(results.sort(), [false, true]);
    assert.equal((await registryOn(database).usage(undefined)).get('2030-01'), 5);
  });

  it('get their real end when their node returns after another one has ended them', async () => {
    const database = await fixture.openWithTables();
    await addNode(database, NODE, 1);
    let epoch = 1;
    const lost = new PostgresRegistry({ database, node: NODE, epoch: () => epoch, isOver: () => false });
    await lost.save(recordOf(1));
    const other = registryOn(database, 'abcdef', 7);
    const writer = new RecordWriter(lost, quiet);
    const ended = recordOf(1, { ended: endAfter(60) });
    await setState(database, 'lost');
    writer.write(ended);
    await writer.settled();
    const crashed = { ...endAfter(5), reason: 'crashed' } as const;
    await other.saveFor({ code: NODE, epoch: 1 }, recordOf(1, { ended: crashed }));
    await writer.retry();
    assert.deepEqual((await other.get(ended.id))?.ended, crashed);
    assert.deepEqual(await lost.get(ended.id), ended);
    await setState(database, 'alive');
    await addNode(database, NODE, 2);
    epoch = 2;
    await writer.retry();
    assert.equal(writer.hasUnsaved, false);
    assert.deepEqual(await other.get(ended.id), ended);
    assert.equal((await other.usage(undefined)).get('2030-01'), 60);
  });

  it('get their end that was written before their node knew its next epoch', async () => {
    const database = await fixture.openWithTables();
    await addNode(database, NODE, 1);
    let epoch = 1;
    const back = new PostgresRegistry({ database, node: NODE, epoch: () => epoch, isOver: () => false });
    await back.save(recordOf(1));
    await addNode(database, NODE, 2);
    const writer = new RecordWriter(back, quiet);
    const ended = recordOf(1, { ended: endAfter(60) });
    writer.write(ended);
    await writer.settled();
    assert.deepEqual(await back.running(undefined, 1), []);
    epoch = 2;
    await writer.retry();
    assert.equal(writer.hasUnsaved, false);
    assert.deepEqual(await registryOn(database, 'abcdef').get(ended.id), ended);
    assert.deepEqual(await back.unfinished(), []);
  });

  it('are not listed as running between their end and its write', async () => {
    const database = await fixture.openWithTables();
    await addNode(database, NODE, 1);
    const registry = registryOn(database);
    for (const nth of [1, 2]) await registry.save(recordOf(nth));
    await setState(database, 'lost');
    const refused = registry.save(recordOf(1, { ended: endAfter(60) }));
    await assert.rejects(refused, { code: 'err_database', problem: 'refused' });
    // They take no place on a page either.
    assert.deepEqual(await registry.running(undefined, 1), [recordOf(2)]);
    await setState(database, 'alive');
    await registry.save(recordOf(1, { ended: endAfter(60) }));
    assert.deepEqual(await registry.running(undefined, 2), [recordOf(2)]);
  });

  it('are refused as soon as a heartbeat finds that the database accepts no new rows', async () => {
    const database = await fixture.openWithTables();
    const registry = registryOn(database);
    const heartbeat = () => registry.markAlive();
    await heartbeat();
    assert.deepEqual(await database.rows(COUNT_RECORDS), [{ count: 0 }]);
    await database.transaction((queries) => queries.script(REFUSE_INSERTS));
    await assert.rejects(heartbeat(), { code: 'err_database', problem: 'refused', sqlState: '53400' });
    assert.equal(database.available, true);
    await database.transaction((queries) => queries.script('drop trigger refuse on sessions'));
    await heartbeat();
  });

  it('include the current usage while their node sends heartbeats', async () => {
    const database = await fixture.openWithTables();
    const createdAt = '2019-12-31T23:59:00.000Z';
    await addNode(database, NODE, 1, new Date('2020-01-01T00:00:30.000Z'));
    const settings = { ...DEFAULT_SETTINGS, tenantId: 'a' };
    await registryOn(database).save(recordOf(1, { createdAt, settings }));
    const other = registryOn(database, 'abcdef');
    const expected = new Map([
      ['2019-12', 60],
      ['2020-01', 30],
    ]);
    assert.deepEqual(new Map(await other.usage('a')), expected);
    assert.deepEqual(new Map(await other.usage(undefined)), expected);
    assert.equal((await other.usage('b')).size, 0);
    assert.equal((await registryOn(database).usage('a')).size, 0);
  });

  it('are counted exactly when many end at once', async () => {
    const database = await fixture.openWithTables();
    const saves = Array.from({ length: 200 }, (_, nth) =>
      registryOn(database).save(recordOf(nth, { ended: endAfter(0.1 + nth) })),
    );
    await Promise.all(saves);
    assert.equal((await registryOn(database).usage(undefined)).get('2030-01'), 199 * 100 + 20);
  });
});

describe('session records while the database is unreachable', () => {
  it('can be read and counted, and are written when it returns', async () => {
    const database = await fixture.openWithTables({ deadline: 1_500 });
    const registry = registryOn(database);
    await registry.save(recordOf(1));
    await fixture.postgres.freeze();
    const ended = recordOf(1, { ended: endAfter(60) });
    await assert.rejects(registry.save(ended), { code: 'err_database', problem: 'unreachable' });
    assert.deepEqual(await registry.get(ended.id), ended);
    await assert.rejects(registry.usage(undefined), { code: 'err_database' });
    const back = database.available ? undefined : change(database);
    await fixture.postgres.thaw();
    await back;
    await registry.save(ended);
    assert.equal((await registry.usage(undefined)).get('2030-01'), 60);
    assert.deepEqual(await registryOn(database).get(ended.id), ended);
  });
});
