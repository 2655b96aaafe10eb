import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COUNT_MS } from '../../../server/src/sessions/recordings/recording-count.js';
import { FakeRecordedSession, RECORD_ALL } from '../../fakes/recording-parts.js';
import { settle } from '../../support/passing.js';
import { recordingsFixture, until, writersOf } from '../../support/recordings-fixture.js';

const setUp = recordingsFixture();
/** The error of a full disk. */
const full = () => Object.assign(new Error('full'), { code: 'ENOSPC' });

describe('recordings with limits', () => {
  it('end when their own limit or the quota is reached, and no other one starts', async () => {
    const { recordings } = await setUp({ maxMb: 2 });
    const session = new FakeRecordedSession('one');
    await recordings.start(session, { ...RECORD_ALL, maxMb: 1 });
    await session.init();
    await session.fragment(0, 2 ** 20, true);
    assert.equal(session.ends[0]?.reason, 'max_mb');
    const other = new FakeRecordedSession('two');
    const { id } = await recordings.start(other, RECORD_ALL);
    await other.fragment(0, 2 ** 20, true);
    assert.equal(other.ends[0]?.reason, 'quota');
    await recordings.close();
    await assert.rejects(recordings.start(session, RECORD_ALL), { code: 'err_recordings_full', status: 507 });
    await recordings.remove(id);
    recordings.requireRoom();
    await assert.rejects(recordings.require(id), { code: 'err_not_found' });
  });

  it('count towards the quota while they run, also after old ones were removed', async () => {
    const { recordings, begin } = await setUp({ maxMb: 1 });
    await begin('one', 2 ** 20);
    await recordings.retire();
    assert.throws(() => recordings.requireRoom(), { code: 'err_recordings_full' });
    await recordings.close();
  });

  it('have room again after another node has removed some, and none after it has added some', async () => {
    const { recordings, index, clock, begin } = await setUp({ maxMb: 1 });
    await recordings.recover();
    const { session } = await begin();
    const isFull = () => {
      try {
        recordings.requireRoom();
        return false;
      } catch {
        return true;
      }
    };
    const ofOtherNodes = 2 ** 20 - 150;
    const countAfter = async (stored: number, milliseconds: number) => {
      let reads = 0;
      index.bytes = async () => {
        reads++;
        return stored;
      };
      clock.advance(milliseconds);
      await until('the sizes are read', () => reads > 0);
    };
    await countAfter(ofOtherNodes - 1, COUNT_MS);
    assert.equal(isFull(), false);
    await countAfter(ofOtherNodes, COUNT_MS);
    assert.equal(isFull(), true);
    await countAfter(0, COUNT_MS);
    assert.equal(isFull(), false);
    await session.end();
    await recordings.close();
    assert.equal(clock.pending, 0);
  });

  it('count exactly once if they end while the sizes are read', async () => {
    for (const isSavedFirst of [true, false]) {
      const { recordings, index, clock, begin } = await setUp({ maxMb: 2 });
      await recordings.recover();
      const { session, id } = await begin('one', 1.5 * 2 ** 20);
      const [read, save] = [index.bytes.bind(index), index.save.bind(index)];
      const held: { save?: () => void } = {};
      index.save = async (record) => {
        await save(record);
        // The process learns of the save after the index was read.
        if (isSavedFirst) await new Promise<void>((resolve) => (held.save ??= resolve));
      };
      let reads = 0;
      index.bytes = async (except) => {
        const before = await read(except);
        await session.end();
        if (isSavedFirst) await until('the end is saved', () => held.save !== undefined);
        else await recordings.stop(session.id, id);
        reads++;
        // Half a MB is of another node.
        return isSavedFirst ? read(except) : before + 2 ** 19;
      };
      clock.advance(COUNT_MS);
      await until('the sizes are read', () => reads > 0);
      await settle();
      if (isSavedFirst) recordings.requireRoom();
      else assert.throws(() => recordings.requireRoom(), { code: 'err_recordings_full' });
      index.save = save;
      held.save?.();
      await recordings.close();
    }
  });

  it('end without a full disk harming what was written', async () => {
    const { recordings, files, root, begin } = await setUp();
    writersOf(files, (writer) => {
      const write = writer.write.bind(writer);
      writer.write = async (part) => {
        if (part.type === 'fragment' && part.time > 0) throw full();
        await write(part);
      };
    });
    const { session, id } = await begin();
    await session.fragment(2);
    await recordings.close();
    const { state, end } = await recordings.require(id);
    assert.deepEqual([state, end], ['ready', 'storage']);
    assert.equal((await readFile(join(root, id, 'live.mp4'))).length, 150);
  });

  it('end with the reason storage if the last parts after a request to stop cannot be written', async () => {
    const { recordings, files, begin } = await setUp();
    const writers = writersOf(files);
    const { session, id } = await begin();
    let requests = 0;
    session.endRecording = () => {
      requests++;
    };
    const stopping = recordings.stop(session.id, id);
    const [writer] = writers;
    assert.ok(writer);
    writer.write = () => Promise.reject(full());
    await session.fragment(2);
    await session.end('stopped');
    const { state, end, seconds } = await stopping;
    assert.deepEqual([state, end, seconds, requests], ['ready', 'storage', 2, 1]);
    await recordings.close();
  });

  it('have no half event if the disk becomes full while an event is written', async () => {
    const { recordings, files, root, begin } = await setUp();
    const writers = writersOf(files);
    const { session, id } = await begin();
    await session.event({ t: 1, type: 'user_joined', user: 'ann' });
    const [writer] = writers;
    assert.ok(writer);
    writer.write = async () => {
      await appendFile(join(root, id, 'events.jsonl'), '{"t":');
      throw full();
    };
    await session.event({ t: 2, type: 'user_left', user: 'ann' });
    await recordings.close();
    assert.equal((await recordings.require(id)).end, 'storage');
    assert.match(await readFile(join(root, id, 'events.jsonl'), 'utf8'), /^\{.*\}\n$/);
  });
});
