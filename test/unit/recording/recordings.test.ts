import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RecordingRecord } from '../../../server/src/sessions/recordings/recording-record.js';
import { ServiceError } from '../../../server/src/service-error.js';
import { FakeRecordedSession, RECORD_ALL } from '../../fakes/recording-parts.js';
import { recordingsFixture, until, writersOf } from '../../support/recordings-fixture.js';

const setUp = recordingsFixture();

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
    await session.event({ t: 1, type: 'agent_connected', user: 'robot', name: 'Helper' });
    await session.event({ t: 2, type: 'marker', name: 'user_joined' });
    assert.equal((await recordings.list({}, undefined)).results[0]?.users.length, 3);
    await session.end();
    await recordings.close();
    const record = await recordings.require(id);
    const { seconds, bytes, end } = record;
    assert.deepEqual([record.state, seconds, end], ['ready', 4, 'session_ended']);
    assert.deepEqual((await recordings.list({ user: 'bob' }, undefined)).results, [record]);
    assert.deepEqual((await recordings.list({ user: 'robot' }, undefined)).results, [record]);
    assert.deepEqual(record.users, ['ann', 'bob', 'robot']);
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

  it('are refused and leave nothing if their session ends while they start', async () => {
    const { recordings, root, sent } = await setUp();
    const session = new FakeRecordedSession('one');
    let asked = 0;
    session.recordingHost = () =>
      (asked += 1) === 1
        ? Promise.resolve(session)
        : Promise.reject(new ServiceError('err_session_terminated'));
    await assert.rejects(recordings.start(session, RECORD_ALL), { code: 'err_session_terminated' });
    assert.deepEqual([session.orders, (await recordings.list({}, undefined)).results], [[], []]);
    await recordings.close();
    assert.deepEqual([sent, (await readdir(root)).filter((name) => name.includes('-'))], [[], []]);
  });

  it('run one at a time in a session, and stop on request', async () => {
    const { recordings, begin } = await setUp();
    const { session, id } = await begin();
    await assert.rejects(recordings.start(session, RECORD_ALL), { code: 'err_recording_running' });
    await assert.rejects(recordings.remove(id), { code: 'err_recording_running' });
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
    const { recordings, clock, begin } = await setUp();
    const { session, id } = await begin();
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
    const { recordings, begin } = await setUp();
    const { session: other, id } = await begin('other');
    await assert.rejects(recordings.stop('one', id), { code: 'err_not_found', status: 404 });
    assert.equal((await recordings.stop(other.id, id)).end, 'stopped');
    await assert.rejects(recordings.stop('one', id), { code: 'err_not_found' });
    await recordings.close();
  });

  it('stop while other sessions are still recorded', async () => {
    const { recordings, begin } = await setUp();
    const { session: other, id: running } = await begin('other');
    const { session, id } = await begin();
    let stopped: RecordingRecord | undefined;
    void recordings.stop(session.id, id).then((record) => (stopped = record));
    await until('the request is answered', () => stopped !== undefined);
    assert.deepEqual([stopped?.state, stopped?.end], ['ready', 'stopped']);
    assert.equal((await recordings.require(running)).state, 'recording');
    await other.end();
    await recordings.close();
  });

  it('end after their start when the clock of the machine is set back', async () => {
    const { recordings, begin, clock } = await setUp();
    const { session, id } = await begin();
    await session.init();
    for (const time of [0, 2, 4]) await session.fragment(time, 10, time === 0);
    clock.set(-3_600_000);
    const { startedAt, endedAt } = await recordings.stop(session.id, id);
    assert.equal(Date.parse(endedAt ?? '') - Date.parse(startedAt), 6_000);
  });

  it('have the last seconds of a session that keeps them', async () => {
    const { recordings, clock } = await setUp();
    const session = new FakeRecordedSession('one');
    await assert.rejects(recordings.keepRing(session), { code: 'err_no_ring', status: 409 });
    session.ring = { ...RECORD_ALL, ring: 60 };
    const keeping = recordings.keepRing(session);
    await until('the host has the order', () => session.orders.length === 1);
    assert.equal(session.orders[0]?.fromRing, true);
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

  it('wait until the last seconds of their session are saved', async () => {
    const { recordings } = await setUp();
    const session = new FakeRecordedSession('one');
    session.ring = { ...RECORD_ALL, ring: 60 };
    const keeping = [recordings.keepRing(session), recordings.keepRing(session)];
    const starting = recordings.start(session, RECORD_ALL);
    for (const count of [1, 2]) {
      await until('the host has the next order', () => session.orders.length === count);
      await session.init();
      await session.fragment(0, 10, true);
      await session.end('stopped');
    }
    const kept = await Promise.all(keeping);
    assert.deepEqual(
      kept.map(({ state, seconds }) => [state, seconds]),
      [
        ['ready', 2],
        ['ready', 2],
      ],
    );
    const { id } = await starting;
    assert.deepEqual(
      session.orders.map(({ fromRing }) => fromRing),
      [true, true, false],
    );
    await assert.rejects(recordings.keepRing(session), { code: 'err_recording_running' });
    await recordings.stop(session.id, id);
    await recordings.close();
  });

  it('are refused after ten seconds if the last seconds of their session are still not saved', async () => {
    const { recordings, clock } = await setUp();
    const session = new FakeRecordedSession('one');
    session.ring = { ...RECORD_ALL, ring: 60 };
    const first = recordings.keepRing(session);
    const refused = assert.rejects(recordings.start(session, RECORD_ALL), {
      ...{ code: 'err_recording_running', status: 409 },
      message: 'The last seconds of this session are being saved. Try again in a moment.',
    });
    await until('both requests wait', () => clock.pending === 2);
    clock.advance(10_000);
    await refused;
    assert.equal((await first).state, 'recording');
    await session.end();
    await recordings.close();
  });

  it('leave no files and no entry if they cannot start, also if their files cannot be closed', async () => {
    const { recordings, files, index, root } = await setUp();
    writersOf(files, (writer) => {
      const close = writer.close.bind(writer);
      writer.close = async () => {
        await close();
        throw Object.assign(new Error('bad disk'), { code: 'EIO' });
      };
    });
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
