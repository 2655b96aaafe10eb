import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import type { RecordedFragment } from '../../../server/src/sessions/recordings/recording-record.js';
import { indexedInit } from '../../../server/src/sessions/recordings/video-index.js';
import { FakeRecordedSession, RECORD_ALL, recordingRoot, recordingsIn } from '../../fakes/recording-parts.js';

/** Returns a box with its content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  header.write(type, 4);
  return Buffer.concat([header, ...content]);
}

/** Returns the boxes in a part of the bytes. */
function boxesIn(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes: { type: string; content: Buffer }[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      content: bytes.subarray(at + 8, at + size),
    });
    at += size;
  }
  return boxes;
}

const found = (bytes: Buffer, type: string) => {
  const content = boxesIn(bytes).find((each) => each.type === type)?.content;
  assert.ok(content, `there is no ${type}`);
  return content;
};

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

const fragment = (time: number, duration: number, size: number, keyFrame: boolean): RecordedFragment => ({
  ...{ time, duration, size, keyFrame },
  offset: 0,
});

describe('the index of a video', () => {
  const fragments = [fragment(0, 2, 100, true), fragment(2, 1, 50, false), fragment(3, 1.5, 70, true)];

  it('has a reference for each part that starts with a key frame', () => {
    const index = found(indexedInit(INIT, fragments), 'sidx');
    assert.equal(index.readUInt32BE(8), 90_000);
    assert.equal(index.readUInt16BE(30), 2);
    const references = [32, 44].map((at) => [
      index.readUInt32BE(at),
      index.readUInt32BE(at + 4) / 90_000,
      index.readUInt32BE(at + 8) >>> 28,
    ]);
    assert.deepEqual(references, [
      [150, 3, 9],
      [70, 1.5, 9],
    ]);
    assert.equal(index.length, 56);
  });

  it('comes with the duration of the whole video, and changes nothing else', () => {
    const whole = indexedInit(INIT, fragments);
    assert.deepEqual(
      boxesIn(whole).map(({ type }) => type),
      ['ftyp', 'moov', 'sidx'],
    );
    const extension = found(found(whole, 'moov'), 'mvex');
    assert.deepEqual(
      boxesIn(extension).map(({ type }) => type),
      ['mehd', 'trex'],
    );
    assert.equal(Number(found(extension, 'mehd').readBigUInt64BE(4)), 4_500);
  });

  it('joins parts if there are more than an index can have', () => {
    const many = Array.from({ length: 70_000 }, (_, at) => fragment(at, 1, 10, true));
    const index = found(indexedInit(INIT, many), 'sidx');
    assert.equal(index.readUInt16BE(30), 35_000);
    assert.deepEqual([index.readUInt32BE(32), index.readUInt32BE(36) / 90_000], [20, 2]);
  });

  it('is left out for bytes that are no initialisation segment, and without fragments', () => {
    assert.deepEqual(indexedInit(INIT, []), INIT);
    const strange = Buffer.from('no box');
    assert.deepEqual(indexedInit(strange, fragments).subarray(0, strange.length), strange);
  });
});

describe('a complete video', () => {
  const roots: string[] = [];
  after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

  it('is read in any range, with its index', async () => {
    const root = await recordingRoot();
    roots.push(root);
    const { recordings } = await recordingsIn(root);
    const session = new FakeRecordedSession('one');
    const { id } = await recordings.start(session, RECORD_ALL);
    await session.sink?.part({ type: 'init', data: INIT });
    await session.fragment(0, 100, true);
    await session.fragment(2, 100, true);
    await recordings.stop(session.id, id);
    const { videos } = recordings;
    const size = (await videos.size(id)) ?? 0;
    const read = async (start: number, end: number) => {
      const parts: Buffer[] = [];
      for await (const part of await videos.read(id, start, end)) parts.push(Buffer.from(part as Uint8Array));
      return Buffer.concat(parts);
    };
    const whole = await read(0, size - 1);
    assert.equal(whole.length, size);
    assert.deepEqual(
      boxesIn(whole.subarray(0, size - 200)).map(({ type }) => type),
      ['ftyp', 'moov', 'sidx'],
    );
    assert.deepEqual(whole.subarray(size - 200), Buffer.concat([Buffer.alloc(100, 0), Buffer.alloc(100, 2)]));
    for (const [start, end] of [
      [0, 9],
      [5, size - 150],
      [size - 201, size - 1],
      [size - 200, size - 190],
      [size - 1, size - 1],
    ])
      assert.deepEqual(
        await read(start ?? 0, end ?? 0),
        whole.subarray(start, (end ?? 0) + 1),
        `${start}-${end}`,
      );
    await recordings.remove(id);
    assert.equal(await videos.size(id), undefined);
  });
});
