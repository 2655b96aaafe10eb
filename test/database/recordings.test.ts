import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { FileRecordingIndex } from '../../server/src/recordings/file-recording-index.js';
import { PostgresRecordingIndex } from '../../server/src/recordings/postgres-recording-index.js';
import { recordingRoot } from '../fakes/recording-parts.js';
import { recordingIndexContract, recordingRecord } from '../support/contracts/recording-index-contract.js';
import { NODE } from '../support/contracts/registry-contract.js';
import { databaseFixture, quiet } from './support/fixture.js';

const fixture = databaseFixture();
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
  const open = () => Promise.resolve(new PostgresRecordingIndex(database, NODE));
  return { index: await open(), reopen: open };
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
});
