import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { ManualClock } from '../fakes/manual-clock.js';
import { FakeRecordedSession, RECORD_ALL, recordingRoot, recordingsIn } from '../fakes/recording-parts.js';
import { until } from '../walk/deadline.js';

const LIMIT_MS = 20_000;
const PART_BYTES = 100_000;
const needsRoot = { skip: process.getuid?.() !== 0 && 'needs root' };

describe('a recording on a full disk', () => {
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
