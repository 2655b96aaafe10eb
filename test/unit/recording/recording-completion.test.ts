import assert from 'node:assert/strict';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { FakeRecordedSession, RECORD_ALL, recordingsIn } from '../../fakes/recording-parts.js';
import { recordedVideo } from '../../support/recorded-video.js';
import { recordingsFixture, until, writersOf } from '../../support/recordings-fixture.js';
import { indexEntries } from '../../support/video-boxes.js';

const setUp = recordingsFixture();

describe('recordings at their end', () => {
  it('are complete up to the last fragment after the host was killed', async () => {
    const { recordings, begin } = await setUp();
    const { session, id } = await begin();
    session.sink?.closed('session_ended');
    await recordings.close();
    const { state, end, seconds } = await recordings.require(id);
    assert.deepEqual([state, end, seconds], ['ready', 'interrupted', 2]);
  });

  it('fail with the reason of their session if it ended before its first picture', async () => {
    const { recordings, told } = await setUp();
    for (const reason of ['session_ended', 'interrupted'] as const) {
      const session = new FakeRecordedSession(reason);
      const { id } = await recordings.start(session, RECORD_ALL);
      session.sink?.closed(reason);
      await until('it is complete', () => told().some(([name]) => name === reason));
      const { state, end, seconds } = await recordings.require(id);
      assert.deepEqual([state, end, seconds], ['failed', reason, 0]);
      assert.deepEqual(told().at(-1), [reason, 'recording.failed']);
    }
    await recordings.close();
  });

  it('are complete up to the last fragment after the service was killed', async () => {
    const { recordings, files, root, begin } = await setUp();
    const writers = writersOf(files);
    const { session, id } = await begin();
    const empty = await recordings.start(new FakeRecordedSession('two'), RECORD_ALL);
    await session.event({ t: 1, type: 'user_joined', user: 'ann' });
    await appendFile(join(root, id, 'live.mp4'), 'half a fragment');
    await appendFile(join(root, id, 'events.jsonl'), '{"t":');
    const { recordings: next, told } = await recordingsIn(root);
    await next.recover();
    await next.close();
    assert.deepEqual(told().sort(), [
      ['one', 'recording.ready'],
      ['two', 'recording.failed'],
    ]);
    const { state, end, seconds, users } = await next.require(id);
    assert.deepEqual([state, end, seconds, users], ['ready', 'interrupted', 2, ['ann']]);
    assert.equal((await readFile(join(root, id, 'live.mp4'))).length, 150);
    assert.match(await readFile(join(root, id, 'events.jsonl'), 'utf8'), /^\{.*\}\n$/);
    assert.equal((await next.require(empty.id)).state, 'failed');
    // A killed process closes nothing. This one has to.
    await Promise.all(writers.map((writer) => writer.close()));
  });

  it('get an index when they end, and their entry has the size of the new file', async () => {
    for (const encrypts of [false, true]) {
      const { recordings, files, root } = await setUp({ encrypts });
      const session = new FakeRecordedSession('one');
      const { id } = await recordings.start(session, RECORD_ALL);
      for (const part of await recordedVideo()) await session.sink?.part(part);
      const { state, bytes } = await recordings.stop(session.id, id);
      assert.equal(state, 'ready');
      const sizeOf = async (name: string) => (await stat(join(root, id, name))).size;
      assert.equal(bytes, (await sizeOf('video.mp4')) + (await sizeOf('events.jsonl')));
      const size = (await files.size(id, 'video')) ?? 0;
      assert.ok(indexEntries(await buffer(files.read(id, 'video', 0, size - 1))).length > 2);
      await recordings.remove(id);
      await recordings.close();
    }
  });

  it('are being finalized until they have an index, and the session can be recorded again meanwhile', async () => {
    const { recordings, files, index, clock, told, begin } = await setUp();
    const signals: AbortSignal[] = [];
    files.index = (_id, signal) =>
      new Promise((_resolve, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new Error('The service ends.')));
      });
    const { session, id } = await begin();
    await session.end();
    await until('the index is written', () => signals.length === 1);
    assert.equal((await recordings.require(id)).state, 'finalizing');
    assert.equal((await index.get(id))?.state, 'finalizing');
    assert.equal((await recordings.list({}, undefined)).results[0]?.state, 'finalizing');
    await assert.rejects(recordings.remove(id), { code: 'err_recording_running' });
    assert.deepEqual(told(), []);
    const { id: second } = await recordings.start(session, RECORD_ALL);
    await session.end();
    let isSettled = false;
    const settled = recordings.settled(id).then(() => (isSettled = true));
    await recordings.settled(second);
    assert.equal(isSettled, false);
    const closed = recordings.close();
    await until('the service waits for the index', () => clock.pending > 0);
    clock.advance(5_000);
    await closed;
    await settled;
    assert.deepEqual([(await index.get(id))?.state, (await index.get(second))?.state], ['ready', 'failed']);
    assert.deepEqual(told().sort(), [
      ['one', 'recording.failed'],
      ['one', 'recording.ready'],
    ]);
  });
});
