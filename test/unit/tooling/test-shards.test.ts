import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readShard, shardOf } from '../../../scripts/lib/test-shards.mjs';

const FILES = ['a', 'b', 'c', 'd', 'e'];

test('each file belongs to one shard, and the shards have about the same size', () => {
  const shards = ['1/2', '2/2'].map((shard) => shardOf(shard, 'database', FILES));
  assert.deepEqual(shards.flat().sort(), FILES);
  assert.deepEqual(shards.map(({ length }) => length).sort(), [2, 3]);
});

test('a run without a shard takes all files', () => {
  assert.deepEqual(shardOf(undefined, 'database', FILES), FILES);
});

test('groups with one file do not all fall into the same shard', () => {
  assert.notDeepEqual(shardOf('1/2', 'faults', ['a']), shardOf('1/2', 'browser', ['a']));
});

test('a shard is read from its argument', () => {
  assert.equal(readShard('--shard=1/2'), '1/2');
  for (const wrong of ['--shard=0/2', '--shard=3/2', '--shard=1', '--rest', 'unit'])
    assert.equal(readShard(wrong), undefined, wrong);
});
