import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parseS3Address } from '../../server/src/platform/network/s3-address.js';
import { S3Blobs } from '../../server/src/recordings/blobs/s3-blobs.js';
import { ManualClock } from '../fakes/manual-clock.js';
import {
  FakeRecordedSession,
  RECORD_ALL,
  recordingRoot,
  recordingsIn,
  type RecordingsOptions,
} from '../fakes/recording-parts.js';
import { S3Server, useS3Credentials } from '../support/s3-server.js';
import { until as waitUntil } from '../walk/deadline.js';

const LIMIT_MS = 20_000;
const until = (what: string, look: () => boolean | Promise<boolean>) => waitUntil(what, LIMIT_MS, look);

let s3: S3Server;
let store: S3Blobs;
let forgetCredentials: () => void;
const roots: string[] = [];
async function setUp(options: RecordingsOptions = {}) {
  const root = await recordingRoot();
  roots.push(root);
  return { root, ...(await recordingsIn(root, { store, ...options })) };
}

type RecordingsUnderTest = Awaited<ReturnType<typeof setUp>>;

/** Records one session to its end. Returns the id. */
async function recorded({ recordings }: RecordingsUnderTest, name = 'one'): Promise<string> {
  const session = new FakeRecordedSession(name);
  const { id } = await recordings.start(session, RECORD_ALL);
  await session.init();
  await session.fragment(0, 100_000, true);
  await session.fragment(2, 200_000);
  await session.event({ t: 1, type: 'user_joined', user: 'ann' });
  await session.end();
  return id;
}

/** Resolves when a recording has a state. */
const reaches = ({ recordings }: Pick<RecordingsUnderTest, 'recordings'>, id: string, state: string) =>
  until(`the recording is ${state}`, async () => (await recordings.require(id)).state === state);

const isLocal = async (root: string, id: string) => (await readdir(root)).includes(id);

describe('a store of recordings', () => {
  before(async () => {
    forgetCredentials = useS3Credentials();
    s3 = await S3Server.start();
    const address = parseS3Address(s3.url);
    assert.ok(address);
    store = await S3Blobs.open(address);
  });
  after(async () => {
    store.close();
    forgetCredentials();
    await s3.stop();
    await Promise.all(roots.map((root) => rm(root, { recursive: true, force: true })));
  });

  for (const encrypts of [false, true])
    describe(`recordings in S3${encrypts ? ', encrypted' : ''}`, () => {
      it('are moved when they end, and are read from there, also in ranges and by another node', async () => {
        const one = await setUp({ encrypts });
        const id = await recorded(one);
        await reaches(one, id, 'ready');
        assert.equal(await isLocal(one.root, id), false);
        assert.deepEqual(one.told(), [['one', 'recording.ready']]);
        const { files } = await setUp({ encrypts });
        for (const reader of [one.files, files]) {
          assert.equal(await reader.size(id, 'video'), 300_050);
          const part = await buffer(reader.read(id, 'video', 100_040, 100_059));
          assert.deepEqual(part, Buffer.concat([Buffer.alloc(10, 0), Buffer.alloc(10, 2)]));
          assert.equal((await buffer(reader.read(id, 'video', 0, 300_049))).length, 300_050);
          assert.equal((await reader.fragments(id)).fragments.length, 2);
          const length = (await reader.size(id, 'events')) ?? 0;
          assert.match(await text(reader.read(id, 'events', 0, length - 1)), /^\{"t":1,.*"ann"\}\n$/);
        }
        await one.recordings.remove(id);
        assert.equal(await files.size(id, 'video'), undefined);
        await one.recordings.close();
      });

      it('wait while the store does not answer, and nothing is lost', async () => {
        const clock = new ManualClock();
        const one = await setUp({ clock, encrypts });
        await s3.goAway();
        const id = await recorded(one);
        await until('a try failed', () => clock.pending > 0);
        assert.equal((await one.recordings.require(id)).state, 'finalizing');
        assert.deepEqual(one.sent, []);
        assert.equal((await buffer(one.files.read(id, 'video', 0, 300_049))).length, 300_050);
        await s3.comeBack();
        await until('the recording is moved', async () => {
          clock.advance(60_000);
          return (await one.recordings.require(id)).state === 'ready';
        });
        assert.equal(await isLocal(one.root, id), false);
        assert.equal((await buffer(one.files.read(id, 'video', 0, 300_049))).length, 300_050);
        await one.recordings.close();
      });

      it('are moved by the next start, with their reason and their event', async () => {
        const one = await setUp({ encrypts });
        await s3.goAway();
        const id = await recorded(one);
        await reaches(one, id, 'finalizing');
        await one.recordings.close();
        assert.deepEqual(one.sent, []);
        await s3.comeBack();
        const next = await recordingsIn(one.root, { store, encrypts });
        await next.recordings.recover();
        await until(
          'the recording is ready',
          async () => (await next.recordings.require(id)).state === 'ready',
        );
        const { end, seconds, users } = await next.recordings.require(id);
        assert.deepEqual([end, seconds, users], ['session_ended', 4, ['ann']]);
        assert.equal(next.sent.length, 1);
        assert.equal(await isLocal(one.root, id), false);
        await next.recordings.close();
      });
    });

  describe('a recording that was moved just before a kill', () => {
    it('becomes ready when the store answers', async () => {
      const one = await setUp();
      const id = await recorded(one);
      await reaches(one, id, 'ready');
      const entry = await one.recordings.require(id);
      await one.recordings.close();
      // The kill came before the entry was saved. Only a closed service writes nothing after this.
      await one.index.save({ ...entry, state: 'finalizing' });
      await s3.goAway();
      const clock = new ManualClock();
      const next = await recordingsIn(one.root, { store, clock });
      await next.recordings.recover();
      assert.equal((await next.recordings.require(id)).state, 'finalizing');
      await s3.comeBack();
      await until('it is ready', async () => {
        clock.advance(60_000);
        return (await next.recordings.require(id)).state === 'ready';
      });
      assert.equal((await next.recordings.require(id)).seconds, 4);
      await next.recordings.close();
    });

    it('does not fail while its bucket is missing', async () => {
      const one = await setUp();
      const id = await recorded(one);
      await reaches(one, id, 'ready');
      const entry = await one.recordings.require(id);
      await one.recordings.close();
      // The kill came before the entry was saved.
      await one.index.save({ ...entry, state: 'finalizing' });
      const address = parseS3Address(s3.url.replace('/recordings/', '/another/'));
      assert.ok(address);
      const wrong = await S3Blobs.open(address);
      await assert.rejects(wrong.size(id, 'video.mp4'), /bucket another of RECORDINGS_URL does not exist/);
      const killed = await recordingsIn(one.root, { store: wrong });
      await killed.recordings.recover();
      await killed.recordings.close();
      wrong.close();
      const next = await recordingsIn(one.root, { store });
      await next.recordings.recover();
      await reaches(next, id, 'ready');
      await next.recordings.close();
    });
  });

  describe('the buffer for recordings', () => {
    it('is bounded: no recording starts when it is full, and a running one ends', async () => {
      const one = await setUp({ maxMb: 100, maxWaitingMb: 1 });
      await s3.goAway();
      const session = new FakeRecordedSession('one');
      const { id } = await one.recordings.start(session, RECORD_ALL);
      await session.init();
      await session.fragment(0, 2 ** 20, true);
      assert.equal(session.ends[0]?.reason, 'storage');
      await reaches(one, id, 'finalizing');
      await assert.rejects(one.recordings.start(new FakeRecordedSession('two'), RECORD_ALL), {
        ...{ code: 'err_recording_store', status: 503 },
      });
      await s3.comeBack();
      await one.recordings.close();
    });

    it('does not count what was moved, and a lost disk is reported', async () => {
      const one = await setUp({ maxMb: 100, maxWaitingMb: 1 });
      const id = await recorded(one);
      await reaches(one, id, 'ready');
      one.recordings.requireRoom();
      await one.index.save({
        ...(await one.recordings.require(id)),
        id: 'lost',
        state: 'recording',
        end: null,
      });
      await one.recordings.close();
      const next = await recordingsIn(one.root, { store });
      await next.recordings.recover();
      await until(
        'its state is known',
        async () => (await next.recordings.require('lost')).state === 'failed',
      );
      await next.recordings.close();
    });
  });
});

describe('an address of a store', () => {
  it('has a bucket, and optionally a prefix, a region and an endpoint', () => {
    assert.deepEqual(parseS3Address('s3://bucket'), {
      ...{ bucket: 'bucket', prefix: '', region: 'us-east-1', endpoint: undefined },
    });
    assert.deepEqual(parseS3Address('s3://b.cket/a/b/?region=eu-1&endpoint=https%3A%2F%2Fs3.example.com'), {
      ...{ bucket: 'b.cket', prefix: 'a/b/', region: 'eu-1', endpoint: 'https://s3.example.com' },
    });
    for (const wrong of [
      ...['bucket', 'https://bucket', 's3://', 's3://B_', 's3://bucket?regin=x', 's3://user:pw@bucket'],
      ...['s3://bucket?endpoint=ftp://x', 's3://bucket?region=EU west'],
    ])
      assert.equal(parseS3Address(wrong), undefined, wrong);
  });
});
