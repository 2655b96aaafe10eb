import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { FileRecordingIndex } from '../../server/src/recordings/records/file-recording-index.js';
import { PostgresRecordingIndex } from '../../server/src/recordings/records/postgres-recording-index.js';
import { PostgresReplayTokens } from '../../server/src/recordings/tokens/postgres-replay-tokens.js';
import { recordingRoot } from '../fakes/recording-parts.js';
import { recordingIndexContract, recordingRecord } from '../support/contracts/recording-index-contract.js';
import { NODE } from '../support/contracts/registry-contract.js';
import { replayTokenContract } from '../support/contracts/replay-token-contract.js';
import type { Statement } from '../../server/src/database/statement.js';
import { until } from '../walk/deadline.js';
import { databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
const SET_STATE: Statement = {
  name: 'test_node_state',
  text: `insert into nodes (code, name, epoch, state) values ($1, 'node', 1, $2)
    on conflict (code) do update set state = excluded.state`,
};
const HOLD: Statement = {
  name: 'test_hold_recording',
  text: 'select from recordings where id = $1 for update',
};
const WAITING: Statement = { name: 'test_waiting', text: 'select from pg_locks where not granted' };
const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

recordingIndexContract('files', async () => {
  const root = await recordingRoot();
  roots.push(root);
  const open = () => FileRecordingIndex.open(root, quiet);
  return { index: await open(), reopen: open };
});

recordingIndexContract('PostgreSQL', async () => {
  const database = await fixture.openWithTables();
  await database.rows(SET_STATE, [NODE, 'alive']);
  const open = () => Promise.resolve(new PostgresRecordingIndex(database, NODE));
  return { index: await open(), reopen: open };
});

replayTokenContract('PostgreSQL', async () => {
  const database = await fixture.openWithTables();
  const index = new PostgresRecordingIndex(database, NODE);
  const [one, two] = [recordingRecord(1), recordingRecord(2)];
  for (const record of [one, two]) await index.save(record);
  const open = () => Promise.resolve(new PostgresReplayTokens(database));
  return { store: await open(), reopen: open, recordings: [one.id, two.id] };
});

describe('the recordings of several nodes', () => {
  it('can be read by all nodes, and are completed only by their own', async () => {
    const database = await fixture.openWithTables();
    const record = recordingRecord(1, { state: 'recording', endedAt: null, end: null });
    await new PostgresRecordingIndex(database, NODE).save(record);
    const other = new PostgresRecordingIndex(database, 'abcdef');
    assert.deepEqual(await other.get(record.id), record);
    assert.deepEqual(await other.unfinished(), []);
  });

  it('are abandoned while their node is not alive, and are then removed after their days', async () => {
    const database = await fixture.openWithTables();
    const record = recordingRecord(1, { state: 'recording', endedAt: null, end: null });
    await new PostgresRecordingIndex(database, NODE).save(record);
    const other = new PostgresRecordingIndex(database, 'abcdef');
    const later = new Date(Date.parse(record.startedAt) + 1);
    for (const [state, abandoned] of [
      [undefined, true],
      ['alive', false],
      ['lost', true],
      ['left', true],
    ] as const) {
      if (state) await database.rows(SET_STATE, [NODE, state]);
      assert.equal(await other.isAbandoned(record.id), abandoned, state);
      assert.deepEqual(await other.endedBefore(later, 10), abandoned ? [record] : [], state);
    }
    assert.deepEqual(await other.endedBefore(new Date(record.startedAt), 10), []);
    const complete = recordingRecord(1);
    await other.save(complete);
    assert.equal(await other.isAbandoned(record.id), false);
    assert.equal(await other.isAbandoned('nothing'), false);
  });

  it('get no token above their limit if several requests arrive at once', async () => {
    const url = await fixture.postgres.createDatabase();
    const [database, other] = [await fixture.openWithTables({ url }), await fixture.open({ url })];
    const { id, startedAt } = recordingRecord(1);
    await new PostgresRecordingIndex(database, NODE).save(recordingRecord(1));
    const tokens = new PostgresReplayTokens(database);
    const add = (token: string) => {
      const times = { createdAt: startedAt, expires: '2040-01-01T00:00:00.000Z' };
      return tokens.add(id, { id: token, hash: token, ...times }, new Date(startedAt), 1);
    };
    // Holds the entry until all requests wait for it. So no request sees the token of another one too early.
    const added = await other.transaction(async (queries) => {
      await queries.rows(HOLD, [id]);
      const requests = ['one', 'two', 'three'].map(add);
      await until('the requests wait', 1_000, async () => (await queries.rows(WAITING)).length === 3);
      return requests;
    });
    assert.deepEqual((await Promise.all(added)).filter(Boolean), [true]);
    assert.equal((await tokens.list(id)).length, 1);
  });

  it('keep their state when a delayed save of an earlier state arrives', async () => {
    const database = await fixture.openWithTables();
    const index = new PostgresRecordingIndex(database, NODE);
    const started = recordingRecord(1, { state: 'recording', endedAt: null, bytes: 0, end: null });
    const ended = recordingRecord(1, { state: 'finalizing' });
    const repaired = recordingRecord(1, { state: 'finalizing', bytes: 90 });
    const complete = recordingRecord(1, { bytes: 250 });
    for (const record of [started, ended, repaired]) await index.save(record);
    await index.save(started);
    assert.deepEqual(await index.get(started.id), repaired);
    await index.save(complete);
    for (const record of [ended, started]) await index.save(record);
    assert.deepEqual(await index.get(started.id), complete);
    assert.deepEqual([await index.unfinished(), await index.bytes()], [[], 250]);
  });

  it('stay removed when their own node returns, which then knows whose files it has to remove', async () => {
    const database = await fixture.openWithTables();
    const own = new PostgresRecordingIndex(database, NODE);
    const other = new PostgresRecordingIndex(database, 'abcdef');
    const running = recordingRecord(1, { state: 'recording', endedAt: null, end: null });
    const failed = recordingRecord(2, { state: 'failed', seconds: 0 });
    const ready = recordingRecord(3);
    const removedByItself = recordingRecord(4, { state: 'failed', seconds: 0 });
    for (const record of [running, failed, ready, removedByItself]) await own.save(record);
    for (const { id } of [running, failed, ready]) await other.remove(id);
    await own.remove(removedByItself.id);
    for (const state of ['finalizing', 'ready'] as const) await own.save({ ...running, state });
    assert.equal(await own.get(running.id), undefined);
    assert.deepEqual(await other.page({}, undefined, 10), []);
    assert.deepEqual(new Set(await own.removedElsewhere()), new Set([running.id, failed.id]));
    assert.deepEqual(await other.removedElsewhere(), []);
    for (const { id } of [running, failed]) await own.forgetRemoved(id);
    assert.deepEqual(await own.removedElsewhere(), []);
  });

  it('lose their tokens with the recording, and get none after that', async () => {
    const database = await fixture.openWithTables();
    const record = recordingRecord(1);
    const index = new PostgresRecordingIndex(database, NODE);
    const tokens = new PostgresReplayTokens(database);
    const token = {
      ...{ id: 'token', hash: 'hash', createdAt: record.startedAt },
      expires: '2040-01-01T00:00:00.000Z',
    };
    await index.save(record);
    assert.equal(await tokens.add(record.id, token, new Date(record.startedAt), 10), true);
    await index.remove(record.id);
    assert.deepEqual(await tokens.list(record.id), []);
    assert.equal(await tokens.add(record.id, token, new Date(record.startedAt), 10), false);
  });
});
