import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { chaptersOf } from '../../../server/src/sessions/recordings/chapters.js';
import { COUNT_MS } from '../../../server/src/sessions/recordings/recording-count.js';
import type {
  RecordingFiles,
  RecordingWriter,
} from '../../../server/src/sessions/recordings/recording-ports.js';
import type { RecordingRecord } from '../../../server/src/sessions/recordings/recording-record.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { FakeRecordedSession, RECORD_ALL, recordingRoot, recordingsIn } from '../../fakes/recording-parts.js';
import { recordedVideo } from '../../support/recorded-video.js';
import { settle } from '../../support/passing.js';
import { indexEntries } from '../../support/video-boxes.js';
import { until as waitUntil } from '../../walk/deadline.js';

const until = (what: string, look: () => boolean) => waitUntil(what, 20_000, look);

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

async function setUp(options: Parameters<typeof recordingsIn>[1] = {}) {
  const root = await recordingRoot();
  roots.push(root);
  return { root, ...(await recordingsIn(root, options)) };
}

/** Returns the list of writers that are created from now on. */
function writersOf(files: RecordingFiles): RecordingWriter[] {
  const create = files.create.bind(files);
  const writers: RecordingWriter[] = [];
  files.create = async (id) => {
    const writer = await create(id);
    writers.push(writer);
    return writer;
  };
  return writers;
}

describe('recordings', () => {
  it('are ready with their size when the session has ended', async () => {
    const { recordings, root, sent } = await setUp();
    const session = new FakeRecordedSession('one', 'tenant', 'tag');
    const { id, state } = await recordings.start(session, RECORD_ALL);
    assert.equal(state, 'recording');
    await session.init();
    await session.fragment(0, 100, true);
    assert.equal((await recordings.list({}, undefined)).results[0]?.seconds, 2);
    await session.fragment(2);
    await session.event({ t: 1, type: 'marker', name: 'Here' });
    for (const user of ['ann', 'bob', 'ann']) await session.event({ t: 1, type: 'user_joined', user });
    await session.event({ t: 2, type: 'marker', name: 'user_joined' });
    assert.equal((await recordings.list({}, undefined)).results[0]?.users.length, 2);
    await session.end();
    await recordings.close();
    const record = await recordings.require(id);
    const { seconds, bytes, end } = record;
    assert.deepEqual([record.state, seconds, end], ['ready', 4, 'session_ended']);
    assert.deepEqual((await recordings.list({ user: 'bob' }, undefined)).results, [record]);
    assert.deepEqual(record.users, ['ann', 'bob']);
    const video = await readFile(join(root, id, 'live.mp4'));
    const events = await readFile(join(root, id, 'events.jsonl'));
    assert.equal(video.length + events.length, bytes);
    assert.deepEqual(
      sent.map(({ sessionId, url, body }) => ({ sessionId, url, body })),
      [
        {
          ...{ sessionId: 'one', url: 'https://customer.example/' },
          body: {
            ...{ session_id: 'one', type: 'recording.ready', recording_id: id, seconds, bytes, end },
          },
        },
      ],
    );
  });

  it('are complete up to the last fragment after the host was killed', async () => {
    const { recordings } = await setUp();
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
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
    const { recordings, files, root } = await setUp();
    const writers = writersOf(files);
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    const empty = await recordings.start(new FakeRecordedSession('two'), RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
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

  it('run one at a time in a session, and stop on request', async () => {
    const { recordings } = await setUp();
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await assert.rejects(recordings.start(session, RECORD_ALL), { code: 'err_recording_running' });
    await assert.rejects(recordings.remove(id), { code: 'err_recording_running' });
    await session.init();
    await session.fragment(0, 10, true);
    await recordings.mark(session, id, 'Now');
    const stopped = await recordings.stop(session.id, id);
    assert.deepEqual([stopped.state, stopped.end], ['ready', 'stopped']);
    assert.deepEqual(session.markers, ['Now']);
    await assert.rejects(recordings.mark(session, id, 'Late'), { code: 'err_not_found' });
    const second = await recordings.start(session, RECORD_ALL);
    assert.deepEqual(
      session.orders.map(({ number }) => number),
      [1, 2],
    );
    await recordings.stop(session.id, second.id);
  });

  it('answer a request to stop after ten seconds if the host does not end them', async () => {
    const { recordings, clock } = await setUp();
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
    let requests = 0;
    session.endRecording = () => {
      requests++;
    };
    const stopping = recordings.stop(session.id, id);
    assert.equal(requests, 1);
    assert.equal(clock.pending, 1);
    clock.advance(10_000);
    assert.equal((await stopping).state, 'finalizing');
    await session.end();
    const stopped = await recordings.stop(session.id, id);
    assert.deepEqual([stopped.state, stopped.end, clock.pending], ['ready', 'stopped', 0]);
    await recordings.close();
  });

  it('of another session are unknown to a request to stop', async () => {
    const { recordings } = await setUp();
    const other = new FakeRecordedSession('other', 'tenant', 'tag');
    const { id } = await recordings.start(other, RECORD_ALL);
    await assert.rejects(recordings.stop('one', id), { code: 'err_not_found', status: 404 });
    await other.init();
    await other.fragment(0, 10, true);
    assert.equal((await recordings.stop(other.id, id)).end, 'stopped');
    await assert.rejects(recordings.stop('one', id), { code: 'err_not_found' });
    await recordings.close();
  });

  it('stop while other sessions are still recorded', async () => {
    const { recordings } = await setUp();
    const other = new FakeRecordedSession('other');
    const { id: running } = await recordings.start(other, RECORD_ALL);
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
    let stopped: RecordingRecord | undefined;
    void recordings.stop(session.id, id).then((record) => (stopped = record));
    await until('the request is answered', () => stopped !== undefined);
    assert.deepEqual([stopped?.state, stopped?.end], ['ready', 'stopped']);
    assert.equal((await recordings.require(running)).state, 'recording');
    await other.end();
    await recordings.close();
  });

  it('have the last seconds of a session that keeps them', async () => {
    const { recordings, clock } = await setUp();
    const session = new FakeRecordedSession('one');
    await assert.rejects(recordings.keepRing(session), { code: 'err_no_ring', status: 409 });
    session.ring = { ...RECORD_ALL, ring: 60 };
    const keeping = recordings.keepRing(session);
    await until('the host has the order', () => session.orders.length === 1);
    assert.equal(session.orders[0]?.fromRing, true);
    await assert.rejects(recordings.keepRing(session), { code: 'err_recording_running' });
    await session.init();
    for (const time of [0, 2, 4]) await session.fragment(time, 10, time === 0);
    await session.end('stopped');
    const { state, end, seconds, startedAt, endedAt } = await keeping;
    assert.deepEqual([state, end, seconds], ['ready', 'stopped', 6]);
    assert.equal(endedAt, clock.date().toISOString());
    assert.equal(Date.parse(endedAt) - Date.parse(startedAt), 6_000);
    const next = recordings.keepRing(session);
    await until('the host has another order', () => session.orders.length === 2);
    await session.end('stopped');
    assert.equal((await next).state, 'failed');
  });

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
    const { recordings } = await setUp({ maxMb: 1 });
    const session = new FakeRecordedSession('one');
    await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 2 ** 20, true);
    await recordings.retire();
    assert.throws(() => recordings.requireRoom(), { code: 'err_recordings_full' });
    await recordings.close();
  });

  it('have room again after another node has removed some, and none after it has added some', async () => {
    const { recordings, index, clock } = await setUp({ maxMb: 1 });
    await recordings.recover();
    const session = new FakeRecordedSession('one');
    await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
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

  it('end without a full disk harming what was written', async () => {
    const { recordings, files, root } = await setUp();
    const create = files.create.bind(files);
    files.create = async (id) => {
      const writer = await create(id);
      const write = writer.write.bind(writer);
      writer.write = async (part) => {
        if (part.type === 'fragment' && part.time > 0)
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        await write(part);
      };
      return writer;
    };
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
    await session.fragment(2);
    await recordings.close();
    const { state, end } = await recordings.require(id);
    assert.deepEqual([state, end], ['ready', 'storage']);
    assert.equal((await readFile(join(root, id, 'live.mp4'))).length, 150);
  });

  it('have no half event if the disk becomes full while an event is written', async () => {
    const { recordings, files, root } = await setUp();
    const writers = writersOf(files);
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
    await session.event({ t: 1, type: 'user_joined', user: 'ann' });
    const [writer] = writers;
    assert.ok(writer);
    writer.write = async () => {
      await appendFile(join(root, id, 'events.jsonl'), '{"t":');
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    await session.event({ t: 2, type: 'user_left', user: 'ann' });
    await recordings.close();
    assert.equal((await recordings.require(id)).end, 'storage');
    assert.match(await readFile(join(root, id, 'events.jsonl'), 'utf8'), /^\{.*\}\n$/);
  });

  it('get an index when they end, and their entry has the size of the new file', async () => {
    for (const encrypts of [false, true]) {
      const { recordings, files, root } = await setUp({ encrypts });
      const session = new FakeRecordedSession('one');
      const { id } = await recordings.start(session, RECORD_ALL);
      for (const part of await recordedVideo()) await session.sink?.part(part);
      const { state, bytes } = await recordings.stop(session.id, id);
      assert.equal(state, 'ready');
      const [video, events] = ['video.mp4', 'events.jsonl'].map((name) => join(root, id, name));
      const sizes = await Promise.all(
        [video ?? '', events ?? ''].map(async (path) => (await stat(path)).size),
      );
      assert.equal(bytes, (sizes[0] ?? 0) + (sizes[1] ?? 0));
      const size = (await files.size(id, 'video')) ?? 0;
      assert.ok(indexEntries(await buffer(files.read(id, 'video', 0, size - 1))).length > 2);
      await recordings.remove(id);
      await recordings.close();
    }
  });

  it('are being finalized until they have an index, and the session can be recorded again meanwhile', async () => {
    const { recordings, files, index, clock, told } = await setUp();
    const signals: AbortSignal[] = [];
    files.index = (_id, signal) =>
      new Promise((_resolve, reject) => {
        signals.push(signal);
        signal.addEventListener('abort', () => reject(new Error('The service ends.')));
      });
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 100, true);
    await session.end();
    await until('the index is written', () => signals.length === 1);
    assert.deepEqual(
      [(await recordings.require(id)).state, (await index.get(id))?.state],
      [...['finalizing', 'finalizing']],
    );
    assert.deepEqual((await recordings.list({}, undefined)).results[0]?.state, 'finalizing');
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

  it('stay removed if they are removed while their end is being stored', async () => {
    const { recordings, index } = await setUp();
    const save = index.save.bind(index);
    const held: { write?: () => void } = {};
    index.save = async (record) => {
      if (record.state === 'ready') await new Promise<void>((resolve) => (held.write = resolve));
      await save(record);
    };
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
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

  it('leave no files and no entry if they cannot start, also if their files cannot be closed', async () => {
    const { recordings, files, index, root } = await setUp();
    const create = files.create.bind(files);
    files.create = async (id) => {
      const writer = await create(id);
      const close = writer.close.bind(writer);
      writer.close = async () => {
        await close();
        throw Object.assign(new Error('bad disk'), { code: 'EIO' });
      };
      return writer;
    };
    const session = new FakeRecordedSession('one');
    const starts = [1, 2].map(() => recordings.start(session, RECORD_ALL));
    const results = await Promise.allSettled(starts);
    const refused = results.find((result) => result.status === 'rejected');
    assert.equal((refused?.reason as { code: string }).code, 'err_recording_running');
    const save = index.save.bind(index);
    index.save = () => Promise.reject(new Error('The index is full.'));
    await assert.rejects(recordings.start(new FakeRecordedSession('two'), RECORD_ALL), /index is full/);
    index.save = save;
    const entries = await index.unfinished();
    assert.equal(entries.length, 1);
    const kept = (await readdir(root)).filter((name) => name.includes('-'));
    assert.deepEqual(
      kept,
      entries.map(({ id }) => id),
    );
    await session.end();
    await recordings.close();
  });

  it('are removed after their days', async () => {
    const clock = new ManualClock();
    const { recordings, root } = await setUp({ days: 1, clock });
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
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
    const { recordings, files, index, told } = await setUp({ days: 1, clock });
    const copy: { end?: (change: number) => void } = {};
    files.index = () => new Promise((resolve) => (copy.end = resolve));
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
    await session.end();
    await until('the index is written', () => copy.end !== undefined);
    clock.set(2 * 86_400_000);
    await recordings.retire();
    assert.notEqual(await files.size(id, 'video'), undefined);
    copy.end?.(0);
    await until('the event is stored', () => told().length > 0);
    await recordings.close();
    assert.deepEqual([told(), (await index.get(id))?.state], [[['one', 'recording.ready']], 'ready']);
  });

  it('are not removed after their days while they wait for their store after a restart', async () => {
    const clock = new ManualClock();
    const { recordings, files: killed, root } = await setUp({ clock });
    let saved = false;
    killed.index = () => new Promise(() => (saved = true));
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.init();
    await session.fragment(0, 10, true);
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

  it('are listed newest first, by session, tag, tenant and time', async () => {
    const { recordings, clock } = await setUp();
    const ids: string[] = [];
    for (const [n, tenant] of ['a', 'b', 'a'].entries()) {
      const session = new FakeRecordedSession(`session ${n}`, tenant, `tag ${n}`);
      const { id } = await recordings.start(session, RECORD_ALL);
      await session.end();
      ids.push(id);
      clock.advance(1_000);
    }
    await recordings.close();
    const list = async (query: Parameters<typeof recordings.list>[0], after?: string) =>
      (await recordings.list(query, after)).results.map(({ id }) => ids.indexOf(id));
    assert.deepEqual(await list({}), [2, 1, 0]);
    assert.deepEqual(await list({}, ids[2]), [1, 0]);
    assert.deepEqual(await list({ tenantId: 'a' }), [2, 0]);
    assert.deepEqual(await list({ tag: 'tag 1' }), [1]);
    assert.deepEqual(await list({ sessionId: 'session 0' }), [0]);
    assert.deepEqual(await list({ from: '2030-01-01T00:00:01.000Z', to: '2030-01-01T00:00:01.500Z' }), [1]);
    await assert.rejects(recordings.list({}, 'nothing'), { code: 'err_not_found' });
  });
});

describe('the chapters of a recording', () => {
  it('are its markers and navigations, without any markup', async () => {
    const events = [
      { t: 0, type: 'navigation', url: 'https://example.com/' },
      { t: 1, type: 'click' },
      { t: 61.5, type: 'marker', name: 'Pay --> <b>\nnow' },
    ];
    async function* lines() {
      for (const event of events) yield `${JSON.stringify(event)}\n`;
      yield '{"t":';
    }
    const text = await chaptersOf(Readable.from(lines()), 100);
    assert.equal(
      text,
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:01:01.500\nhttps://example.com/\n',
        '00:01:01.500 --> 00:01:40.000\nPay --&gt; &lt;b&gt; now\n',
      ].join('\n'),
    );
  });

  it('end at the largest number, and nothing is read after it', async () => {
    async function* lines() {
      for (let t = 0; t < 2_000; t++) yield `${JSON.stringify({ t, type: 'marker', name: 'Here' })}\n`;
      throw new Error('The store does not answer.');
    }
    const events = Readable.from(lines());
    const text = await chaptersOf(events, 2_000);
    assert.equal(text.match(/Here/g)?.length, 1_000);
    if (!events.closed) await once(events, 'close');
    assert.equal(events.errored, null);
  });
});
