import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { ManualClock } from '../fakes/manual-clock.js';
import { FakeRecordedSession, RECORD_ALL, recordingRoot, recordingsIn } from '../fakes/recording-parts.js';
import { recordedVideo } from '../support/recorded-video.js';
import { until } from '../walk/deadline.js';

const LIMIT_MS = 20_000;
const PART_BYTES = 100_000;
const needsRoot = { skip: process.getuid?.() !== 0 && 'needs root' };

/** A negative room, so that the copy begins although the disk has too little for it. */
const NO_CHECK = -(2 ** 30);

describe('a recording on a full disk', () => {
  for (const encrypts of [false, true])
    it(
      `keeps its video if a copy with an index has no room${encrypts ? ', encrypted' : ''}`,
      needsRoot,
      async () => {
        const root = await recordingRoot();
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root]);
        try {
          const options = { encrypts, maxMb: 100, spareBytes: NO_CHECK };
          const { recordings, files, told } = await recordingsIn(root, options);
          const session = new FakeRecordedSession('one');
          const { id } = await recordings.start(session, RECORD_ALL);
          for (const part of await recordedVideo({ pictures: 600 })) await session.sink?.part(part);
          const size = (await files.size(id, 'video')) ?? 0;
          const video = await buffer(files.read(id, 'video', 0, size - 1));
          const { bavail, bsize } = await statfs(root);
          const filler = join(root, 'filler');
          // Room for the entry and for a part of the copy.
          await writeFile(filler, Buffer.alloc(bavail * bsize - 24_576));
          assert.ok(size > 24_576, `the video has only ${size} bytes`);
          const { state } = await recordings.stop(session.id, id);
          assert.equal(state, 'ready');
          assert.deepEqual(told(), [['one', 'recording.ready']]);
          assert.deepEqual((await readdir(join(root, id))).sort(), [
            ...['events.jsonl', 'fragments.jsonl', 'live.mp4'],
          ]);
          const kept = await buffer(files.read(id, 'video', 0, size - 1));
          // Only the duration in the header has changed.
          const { init } = await files.fragments(id);
          assert.equal(kept.length, size);
          assert.ok(kept.subarray(init).equals(video.subarray(init)));
          await rm(filler);
          await recordings.close();
        } finally {
          execFileSync('umount', ['-l', root]);
          await rm(root, { recursive: true, force: true });
        }
      },
    );

  for (const encrypts of [false, true])
    it(`keeps what was written, and reports it${encrypts ? ', encrypted' : ''}`, needsRoot, async () => {
      const root = await recordingRoot();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root]);
      try {
        const clock = new ManualClock();
        const { recordings, files, index, told } = await recordingsIn(root, { clock, encrypts, maxMb: 100 });
        const session = new FakeRecordedSession('one');
        const { id } = await recordings.start(session, RECORD_ALL);
        await session.init();
        const filler = join(root, 'filler');
        await writeFile(filler, Buffer.alloc(200_000));
        let sent = 0;
        for (; session.ends.length === 0 && sent < 20; sent++)
          await session.fragment(sent * 2, PART_BYTES, sent === 0);
        assert.equal(session.ends[0]?.reason, 'storage');
        const state = async () => (await recordings.require(id)).state;
        await until('it has ended', LIMIT_MS, async () => (await state()) === 'ready');
        const { seconds, end } = await recordings.require(id);
        // The last fragment failed.
        assert.deepEqual([seconds, end], [2 * (sent - 1), 'storage']);
        assert.deepEqual(told(), [['one', 'recording.ready']]);
        const size = (await files.size(id, 'video')) ?? 0;
        assert.equal(size, 50 + (sent - 1) * PART_BYTES);
        assert.equal((await buffer(files.read(id, 'video', 0, size - 1))).length, size);
        // A full disk has no room for the entry either.
        await rm(filler);
        await until('the entry is saved', LIMIT_MS, async () => {
          clock.advance(60_000);
          return (await index.get(id))?.state === 'ready';
        });
        await recordings.remove(id);
        const next = await recordings.start(session, RECORD_ALL);
        await recordings.stop(session.id, next.id);
        await recordings.close();
      } finally {
        execFileSync('umount', ['-l', root]);
        await rm(root, { recursive: true, force: true });
      }
    });
});
