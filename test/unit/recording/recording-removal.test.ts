import assert from 'node:assert/strict';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RecordingIndex } from '../../../server/src/sessions/recordings/recording-ports.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { FakeRecordedSession, RECORD_ALL, recordingsIn } from '../../fakes/recording-parts.js';
import { settle } from '../../support/passing.js';
import { recordingsFixture, until } from '../../support/recordings-fixture.js';

const setUp = recordingsFixture();

describe('old and removed recordings', () => {
  it('stay removed if they are removed while their end is being stored', async () => {
    const { recordings, index, begin } = await setUp();
    const save = index.save.bind(index);
    const held: { write?: () => void } = {};
    index.save = async (record) => {
      if (record.state === 'ready') await new Promise<void>((resolve) => (held.write = resolve));
      await save(record);
    };
    const { session, id } = await begin();
    await session.end();
    await until('the end is being stored', () => held.write !== undefined);
    const removed = recordings.remove(id);
    await settle();
    held.write?.();
    await removed;
    await recordings.close();
    assert.equal(await index.get(id), undefined);
    await assert.rejects(recordings.require(id), { code: 'err_not_found' });
  });

  it('end the responses that still send them, so that players ask again and learn of the removal', async () => {
    const { recordings, begin } = await setUp();
    const { session, id } = await begin('one', 1_000_000);
    await recordings.stop(session.id, id);
    const size = (await recordings.files.size(id, 'video')) ?? 0;
    const response = recordings.files.read(id, 'video', 0, size - 1);
    const parts = response[Symbol.asyncIterator]();
    assert.ok(!(await parts.next()).done);
    await recordings.remove(id);
    const rest = async () => {
      while (!(await parts.next()).done);
    };
    await assert.rejects(rest(), { code: 'err_not_found', status: 404 });
    await recordings.close();
  });

  it('stay in the list if their entry cannot be removed, so that the removal can be repeated', async () => {
    const { recordings, index, root, begin } = await setUp();
    const { session, id } = await begin();
    await recordings.stop(session.id, id);
    // A directory in the place of the file cannot be removed like a file.
    const path = join(root, 'index', `${id}.json`);
    await rm(path);
    await mkdir(path);
    await assert.rejects(recordings.remove(id), { code: 'ERR_FS_EISDIR' });
    assert.equal((await index.get(id))?.id, id);
    await rmdir(path);
    await recordings.remove(id);
    assert.equal(await index.get(id), undefined);
    await recordings.close();
  });

  it('are removed after their days', async () => {
    const clock = new ManualClock();
    const { recordings, root, begin } = await setUp({ days: 1, clock });
    const { session, id } = await begin();
    await recordings.stop(session.id, id);
    clock.set(2 * 86_400_000);
    const { recordings: next } = await recordingsIn(root, { clock, days: 1 });
    await next.recover();
    await next.retire();
    await assert.rejects(next.require(id), { code: 'err_not_found' });
    await next.close();
  });

  it('are not removed after their days while they are being completed', async () => {
    const clock = new ManualClock();
    const { recordings, files, index, told, begin } = await setUp({ days: 1, clock });
    const copy: { end?: (change: number) => void } = {};
    files.index = () => new Promise((resolve) => (copy.end = resolve));
    const { session, id } = await begin();
    await session.end();
    await until('the index is written', () => copy.end !== undefined);
    clock.advance(2 * 86_400_000);
    await recordings.retire();
    assert.notEqual(await files.size(id, 'video'), undefined);
    copy.end?.(0);
    await until('the event is stored', () => told().length > 0);
    await recordings.close();
    assert.deepEqual([told(), (await index.get(id))?.state], [[['one', 'recording.ready']], 'ready']);
  });

  it('are not removed after their days while they wait for their store after a restart', async () => {
    const clock = new ManualClock();
    const { files: killed, root, begin } = await setUp({ clock });
    let saved = false;
    killed.index = () => new Promise(() => (saved = true));
    const { session, id } = await begin();
    await session.end();
    await until('the end is saved', () => saved);
    clock.set(2 * 86_400_000);
    const { recordings: next, files, told } = await recordingsIn(root, { days: 1, clock });
    const repair = files.repair.bind(files);
    files.repair = () => Promise.reject(new Error('the store does not answer'));
    const copy: { end?: (change: number) => void } = {};
    files.index = () => new Promise((resolve) => (copy.end = resolve));
    await next.recover();
    await next.retire();
    assert.notEqual(await files.size(id, 'video'), undefined);
    files.repair = repair;
    clock.advance(1_000);
    await until('the index is written', () => copy.end !== undefined);
    await next.retire();
    assert.notEqual(await files.size(id, 'video'), undefined);
    copy.end?.(0);
    await until('the event is stored', () => told().length > 0);
    await next.close();
    assert.deepEqual(told(), [['one', 'recording.ready']]);
  });

  it('leave no files on this machine after another node has removed them', async () => {
    const { recordings, files, index, root } = await setUp();
    const session = new FakeRecordedSession('one');
    const { id: running } = await recordings.start(session, RECORD_ALL);
    const left = '4f1d1c1a-0000-4000-8000-000000000001';
    await (await files.create(left)).close();
    const removed = new Set([left, running]);
    const port: RecordingIndex = index;
    port.removedElsewhere = async () => [...removed];
    port.forgetRemoved = async (id) => void removed.delete(id);
    const kept = async () => (await readdir(root)).filter((name) => name.includes('-'));
    await recordings.retire();
    assert.deepEqual([await kept(), [...removed]], [[running], [running]]);
    await recordings.stop(session.id, running);
    await recordings.retire();
    assert.deepEqual([await kept(), [...removed]], [[], []]);
    await recordings.close();
  });

  it('send no event if another node has removed them while their own node was away', async () => {
    const { recordings, index, told, begin } = await setUp();
    const { session, id } = await begin();
    await index.remove(id);
    const port: RecordingIndex = index;
    port.removedElsewhere = () => Promise.resolve([id]);
    // The index of a cluster does not add such an entry again.
    port.save = () => Promise.resolve();
    await session.end();
    await recordings.close();
    assert.deepEqual(told(), []);
    await assert.rejects(recordings.require(id), { code: 'err_not_found' });
  });

  it('can be removed when their node is lost, but not while this node records or completes them', async () => {
    const { recordings, files, index } = await setUp();
    const session = new FakeRecordedSession('one');
    const own = await recordings.start(session, RECORD_ALL);
    const lost = { ...own, id: '4f1d1c1a-0000-4000-8000-000000000001' };
    await (await files.create(lost.id)).close();
    await index.save(lost);
    await assert.rejects(recordings.remove(lost.id), { code: 'err_recording_running' });
    index.isAbandoned = () => Promise.resolve(true);
    await assert.rejects(recordings.remove(own.id), { code: 'err_recording_running' });
    await recordings.remove(lost.id);
    await assert.rejects(recordings.require(lost.id), { code: 'err_not_found' });
    assert.equal(await files.size(lost.id, 'video'), undefined);
    await session.end();
    await recordings.close();
  });
});
