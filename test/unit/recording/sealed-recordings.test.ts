import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { RecordingDirectory } from '../../../server/src/recordings/recording-directory.js';
import { RECORDING_KEY } from '../../fakes/recording-parts.js';
import { rootsFixture } from '../../support/recordings-fixture.js';

const ID = '4f1d1c1a-0000-4000-8000-000000000001';
/** Sizes around the limits of chunks. */
const SIZES = [1_300, 65_535, 65_536, 65_537, 1, 400_000, 131_072];
const EVENTS = Array.from({ length: 50 }, (_, nth) =>
  JSON.stringify({ t: nth, type: 'marker', name: `Secret of the customer ${nth}` }),
);
const newRoot = rootsFixture();

const openIn = (root: string, key: Uint8Array = RECORDING_KEY) =>
  RecordingDirectory.open(root, { key, encrypts: true });

/** Writes a sealed recording. Returns its plain video. */
async function written() {
  const root = await newRoot();
  const files = await openIn(root);
  const writer = await files.create(ID);
  const parts = SIZES.map((size) => randomBytes(size));
  for (const [nth, data] of parts.entries()) {
    if (nth === 0) await writer.write({ type: 'init', data });
    else await writer.write({ type: 'fragment', data, time: 2 * nth - 2, duration: 2, keyFrame: nth === 1 });
  }
  for (const event of EVENTS) await writer.write({ type: 'event', data: Buffer.from(event) });
  return { root, files, writer, parts, video: Buffer.concat(parts) };
}

const fileIn = (root: string, name: string) => join(root, ID, name);

describe('a sealed recording', () => {
  it('is read in any range, while it is written and after that', async () => {
    const { files, writer, video } = await written();
    const bounds = [0, 1, 1_299, 1_300, 66_835, 66_836, 132_371, 132_372, 197_908, 300_000, video.length - 1];
    for (const done of [false, true]) {
      if (done) await writer.close();
      assert.equal(await files.size(ID, 'video'), video.length);
      for (const start of bounds)
        for (const end of bounds.filter((bound) => bound >= start)) {
          const part = await buffer(files.read(ID, 'video', start, end));
          assert.ok(part.equals(video.subarray(start, end + 1)), `${start} to ${end}`);
        }
      const lines = `${EVENTS.join('\n')}\n`;
      assert.equal(await files.size(ID, 'events'), Buffer.byteLength(lines));
      assert.equal(await text(files.read(ID, 'events', 0, lines.length - 1)), lines);
      assert.equal(await text(files.read(ID, 'events', 5, 20)), lines.slice(5, 21));
    }
  });

  it('has no bytes of the video or the events on the disk', async () => {
    const { root, writer, parts } = await written();
    await writer.close();
    const names = await readdir(join(root, ID));
    assert.deepEqual(names.sort(), ['events.jsonl', 'fragments.jsonl', 'live.mp4']);
    for (const name of names) {
      const content = await readFile(fileIn(root, name));
      for (const part of parts)
        for (let at = 0; at + 8 <= part.length; at += 997)
          assert.equal(content.includes(part.subarray(at, at + 8)), false, `${name} contains the video`);
      for (const word of ['Secret', 'customer', 'marker'])
        assert.equal(content.includes(word), false, `${name} contains the events`);
    }
  });

  it('is unreadable with another key', async () => {
    const { root, writer } = await written();
    await writer.close();
    const other = await openIn(root, Buffer.alloc(32, 6));
    for (const file of ['video', 'events'] as const)
      await assert.rejects(other.size(ID, file), { code: 'err_recording_unreadable' });
  });

  it('refuses chunks that were changed or have changed places', async () => {
    const { root, files, writer, video } = await written();
    await writer.close();
    const file = await open(fileIn(root, 'live.mp4'), 'r+');
    const { size } = await file.stat();
    const last = Buffer.alloc(65_536 + 28);
    await file.read(last, 0, last.length, size - last.length);
    await file.write(last, 0, last.length, size - 2 * last.length);
    await file.close();
    await assert.rejects(buffer(files.read(ID, 'video', 0, video.length - 1)), /damaged/);
    assert.ok((await buffer(files.read(ID, 'video', 0, 1_000))).equals(video.subarray(0, 1_001)));
  });

  it('is complete up to its last fragment and event after a kill', async () => {
    const { root, files, writer, video, parts } = await written();
    const [path, events] = [fileIn(root, 'live.mp4'), fileIn(root, 'events.jsonl')];
    const whole = (await stat(path)).size;
    const lines = `${EVENTS.join('\n')}\n`;
    for (const lost of [0, 1, 20, 100_000]) {
      await appendFile(path, randomBytes(1_000));
      await appendFile(events, randomBytes(30));
      const file = await open(path, 'r+');
      await file.truncate(lost === 0 ? whole + 1_000 : whole - lost);
      await file.close();
      const { seconds } = await files.repair(ID);
      const kept = lost === 0 ? parts.length : parts.length - 1;
      assert.equal(seconds, 2 * (kept - 1));
      const plain = Buffer.concat(parts.slice(0, kept));
      assert.equal(await files.size(ID, 'video'), plain.length);
      assert.ok((await buffer(files.read(ID, 'video', 0, plain.length - 1))).equals(plain));
      assert.equal(await text(files.read(ID, 'events', 0, lines.length - 1)), lines);
      assert.ok(video.subarray(0, plain.length).equals(plain));
    }
    // A killed process closes nothing. This one has to.
    await writer.close();
  });

  it('is read without encryption being on, and plain ones with it', async () => {
    const { root, writer, video } = await written();
    await writer.close();
    const plain = await RecordingDirectory.open(root, { key: RECORDING_KEY, encrypts: false });
    assert.equal(await plain.size(ID, 'video'), video.length);
    const other = ID.replace(/1$/, '2');
    const plainWriter = await plain.create(other);
    await plainWriter.write({ type: 'init', data: Buffer.from('readable') });
    await plainWriter.close();
    assert.equal(await text((await openIn(root)).read(other, 'video', 0, 7)), 'readable');
  });
});
