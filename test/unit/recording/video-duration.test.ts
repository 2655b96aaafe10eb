import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { withDurationBox } from '../../../server/src/recordings/boxes/video-duration.js';
import { FakeRecordedSession, RECORD_ALL, recordingsIn } from '../../fakes/recording-parts.js';
import { recordingsFixture, writersOf } from '../../support/recordings-fixture.js';

/** Returns a box with its content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  header.write(type, 4);
  return Buffer.concat([header, ...content]);
}

/** A movie header with 1000 ticks per second. */
const movieHeader = () => {
  const content = Buffer.alloc(100);
  content.writeUInt32BE(1000, 12);
  return box('mvhd', content);
};
const INIT = Buffer.concat([
  box('ftyp', Buffer.from('isom')),
  box('moov', movieHeader(), box('mvex', box('trex', Buffer.alloc(24)))),
]);

/** Milliseconds in the box `mehd` of a file. */
const durationIn = (file: Buffer) => Number(file.readBigUInt64BE(file.indexOf('mehd') + 8));

describe('the duration in the header of a video', () => {
  const setUp = recordingsFixture();

  async function recorded(encrypts = false) {
    const { root, recordings, files } = await setUp({ encrypts });
    const writers = writersOf(files);
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.sink?.part({ type: 'init', data: INIT });
    await session.fragment(0, 100, true);
    await session.fragment(2.5, 50);
    return { root, recordings, files, session, id, writers, path: join(root, id, 'live.mp4') };
  }

  it('is stored at the end of the recording, and moves nothing', async () => {
    const { recordings, files, session, id, path } = await recorded();
    const before = await readFile(path);
    assert.equal(durationIn(before), 0);
    await recordings.stop(session.id, id);
    const file = await readFile(path);
    assert.equal(durationIn(file), 4_500);
    assert.equal(file.length, before.length);
    const { init, fragments } = await files.fragments(id);
    assert.equal(init, INIT.length + 20);
    assert.deepEqual(
      fragments.map(({ offset, size }) => file.subarray(offset, offset + size)),
      [Buffer.alloc(100, 0), Buffer.alloc(50, 2.5)],
    );
  });

  it('is added to an encrypted video when it is read', async () => {
    const { recordings, files, session, id } = await recorded(true);
    await recordings.stop(session.id, id);
    const size = (await files.size(id, 'video')) ?? 0;
    const video = await buffer(files.read(id, 'video', 0, size - 1));
    assert.equal(durationIn(video), 4_500);
    const { init } = await files.fragments(id);
    assert.ok((await buffer(files.read(id, 'video', 3, init + 9))).equals(video.subarray(3, init + 10)));
  });

  it('is stored after the service was killed', async () => {
    const { root, writers, path } = await recorded();
    await appendFile(path, 'half a fragment');
    const { recordings: next } = await recordingsIn(root);
    await next.recover();
    await next.close();
    assert.equal(durationIn(await readFile(path)), 4_500);
    // A killed process closes nothing. This one has to.
    await Promise.all(writers.map((writer) => writer.close()));
  });

  it('has no place in bytes that are no initialisation segment', () => {
    for (const bytes of [Buffer.from('no box'), Buffer.alloc(0), box('moov', movieHeader())])
      assert.deepEqual(withDurationBox(bytes), bytes);
  });
});
