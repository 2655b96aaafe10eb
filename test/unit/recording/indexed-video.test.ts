import assert from 'node:assert/strict';
import { copyFile, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import type { RecordingPart } from '../../../server/src/recording-protocol.js';
import { fragmentGroups } from '../../../server/src/recordings/indexed/fragment-groups.js';
import { RecordingDirectory } from '../../../server/src/recordings/recording-directory.js';
import { RECORDING_KEY } from '../../fakes/recording-parts.js';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { recordedVideo, type RecordedVideoOptions } from '../../support/recorded-video.js';
import { rootsFixture } from '../../support/recordings-fixture.js';
import { seeded } from '../../support/seeded.js';
import { fileBoxes, indexEntries } from '../../support/video-boxes.js';

const ID = '4f1d1c1a-0000-4000-8000-000000000001';
const never = new AbortController().signal;
const newRoot = rootsFixture();
let recorded: RecordingPart[];
before(async () => {
  recorded = await recordedVideo();
});

/** Options of a recording of a test. */
interface Options {
  parts?: readonly RecordingPart[];
  encrypts?: boolean;
  spareBytes?: number;
}

/** Writes a recording to its end. */
async function written({ parts = recorded, encrypts = false, spareBytes = 0 }: Options = {}) {
  const root = await newRoot();
  const files = await RecordingDirectory.open(root, { key: RECORDING_KEY, encrypts, spareBytes });
  const writer = await files.create(ID);
  for (const part of parts) await writer.write(part);
  await writer.write({ type: 'event', data: Buffer.from('{"t":1}') });
  await writer.close();
  const video = async () => {
    const size = (await files.size(ID, 'video')) ?? 0;
    return buffer(files.read(ID, 'video', 0, size - 1));
  };
  const names = async () => (await readdir(join(root, ID))).sort();
  const path = (name: string) => join(root, ID, name);
  return { root, files, video, names, path };
}

/** Kinds of videos. The last one has fragments that the service does not hold in memory. */
const VIDEOS: Record<string, RecordedVideoOptions> = {
  '': {},
  ', without sound': { audio: false },
  ', long': { keyFrames: 15, fillerBytes: 700_000 },
};
const LIVE = ['events.jsonl', 'fragments.jsonl', 'live.mp4'];
const INDEXED = ['events.jsonl', 'fragments.jsonl', 'video.mp4'];

/** Checks that a recording is the one that was written, and has no index. */
async function assertUnchanged({ video, names }: Awaited<ReturnType<typeof written>>, before: Buffer) {
  assert.ok((await video()).equals(before));
  assert.deepEqual(await names(), LIVE);
}

describe('a video with an index', () => {
  for (const encrypts of [false, true])
    for (const [kind, options] of Object.entries(VIDEOS))
      it(`has the same samples, one fragment for each key frame, and an exact index${encrypts ? ', encrypted' : ''}${kind}`, async () => {
        const parts = await recordedVideo(options);
        const { files, video, names, path } = await written({ parts, encrypts });
        const before = await video();
        const stored = (await stat(path('live.mp4'))).size;
        const change = await files.index(ID, never);
        const file = await video();
        assert.deepEqual(await names(), INDEXED);
        assert.equal((await stat(path('video.mp4'))).size - stored, change);

        const boxes = fileBoxes(file);
        const groups = parts.filter((part) => part.type === 'fragment' && part.keyFrame).length;
        assert.ok(groups > 2 && parts.length > 2 * groups);
        assert.deepEqual(
          boxes.map(({ type }) => type),
          ['ftyp', 'moov', 'sidx', ...Array.from({ length: groups }, () => ['moof', 'mdat']).flat()],
        );
        const entries = indexEntries(file);
        const headers = boxes.filter(({ type }) => type === 'moof');
        assert.deepEqual(
          entries.map(({ start }) => start),
          headers.map(({ start }) => start),
        );
        assert.equal(entries.at(-1)?.end, file.length);
        assert.ok(entries.every(({ startsWithKeyFrame }) => startsWithKeyFrame));

        const [old, packets] = [await packetsOf(before), await packetsOf(file)];
        const of = (list: typeof packets, codec: string) =>
          list
            .filter((packet) => packet.codec === codec)
            .map(({ time, hash, keyFrame }) => ({ time, hash, keyFrame }));
        for (const codec of ['video', 'audio']) assert.deepEqual(of(packets, codec), of(old, codec));
        const keys = of(packets, 'video').filter(({ keyFrame }) => keyFrame);
        assert.deepEqual(
          entries.map(({ time }) => time / 90_000),
          keys.map(({ time }) => time),
        );
        const last = packets.findLast(({ codec }) => codec === 'video');
        const end = entries.reduce((sum, { duration }) => sum + duration, 0) / 90_000;
        assert.ok(Math.abs(end - (last?.time ?? 0) - (last?.duration ?? 0)) < 0.001);
        assert.ok(['', undefined].includes(await probeWarnings(file)));

        const list = await files.fragments(ID);
        assert.equal(list.live, false);
        assert.deepEqual(
          list.fragments.map(({ offset, size, keyFrame }) => [offset, offset + size, keyFrame]),
          entries.map(({ start, end }) => [start, end, true]),
        );
        assert.equal(list.init, boxes.find(({ type }) => type === 'moov')?.end);
        assert.equal(await files.index(ID, never), 0, 'a second call changes something');
      });

  it('has one run of samples for each track of a fragment, which FFmpeg needs to seek in any order', async () => {
    const { files, video } = await written();
    await files.index(ID, never);
    const file = await video();
    for (const { type, start, end } of fileBoxes(file)) {
      if (type !== 'moof') continue;
      const header = file.toString('latin1', start, end);
      assert.equal(header.match(/traf/g)?.length, 2);
      assert.equal(header.match(/trun/g)?.length, 2);
    }
  });

  it('starts each fragment with a picture that can be decoded alone', async () => {
    const { files, video } = await written();
    await files.index(ID, never);
    const file = await video();
    const { init } = await files.fragments(ID);
    for (const { start, end, time } of indexEntries(file)) {
      const alone = Buffer.concat([file.subarray(0, init), file.subarray(start, end)]);
      const first = (await packetsOf(alone)).find(({ codec }) => codec === 'video');
      assert.deepEqual([first?.keyFrame, first?.time], [true, time / 90_000]);
    }
  });

  it('has no gap between two pictures of a fragment', async () => {
    const { files, video } = await written();
    await files.index(ID, never);
    const pictures = (await packetsOf(await video())).filter(({ codec }) => codec === 'video');
    for (const [index, { time, keyFrame }] of pictures.entries()) {
      const before = pictures[index - 1];
      if (before && !keyFrame) assert.ok(Math.abs(before.time + before.duration - time) < 0.001);
    }
  });

  it('is made after a kill too, without the fragment that was not complete', async () => {
    for (const encrypts of [false, true]) {
      const one = await written({ encrypts });
      const file = await open(one.path('live.mp4'), 'r+');
      await file.truncate((await file.stat()).size - 10);
      await file.close();
      const { seconds } = await one.files.repair(ID);
      const before = await packetsOf(await one.video());
      await one.files.index(ID, never);
      const packets = await packetsOf(await one.video());
      assert.equal(packets.length, before.length);
      assert.deepEqual(await one.names(), INDEXED);
      const last = (await one.files.fragments(ID)).fragments.at(-1);
      assert.equal(seconds, (last?.time ?? 0) + (last?.duration ?? 0));
      assert.ok(['', undefined].includes(await probeWarnings(await one.video())));
    }
  });

  it('survives a kill at any moment of its writing', async () => {
    const one = await written();
    const [before, list] = [await one.video(), await readFile(one.path('fragments.jsonl'))];
    // The kill came before the new list.
    for (const name of ['video.mp4.tmp', 'video.mp4', 'fragments.jsonl.1.tmp'])
      await writeFile(one.path(name), 'half a file');
    assert.ok((await one.video()).equals(before));
    await one.files.repair(ID);
    await assertUnchanged(one, before);
    const live = one.path('copy.mp4');
    await copyFile(one.path('live.mp4'), live);
    await one.files.index(ID, never);
    const [after, next] = [await one.video(), await readFile(one.path('fragments.jsonl'))];
    assert.notDeepEqual(next, list);
    // The kill came after the new list.
    await copyFile(live, one.path('live.mp4'));
    const { bytes } = await one.files.repair(ID);
    assert.equal(bytes, after.length + '{"t":1}\n'.length);
    assert.ok((await one.video()).equals(after));
    assert.deepEqual(await one.names(), INDEXED);
  });
});

describe('a video without an index', () => {
  it('stays as it is when the disk has no room for a copy', async () => {
    const one = await written({ spareBytes: Number.MAX_SAFE_INTEGER });
    const before = await one.video();
    await assert.rejects(one.files.index(ID, never), /no room/);
    await assertUnchanged(one, before);
  });

  it('stays as it is when the service ends meanwhile', async () => {
    const one = await written();
    const before = await one.video();
    let checks = 0;
    const signal = Object.assign(new EventTarget(), {
      ...{ aborted: false, reason: undefined, onabort: null },
      throwIfAborted: () => {
        if (++checks > 2) throw new Error('The service ends.');
      },
    });
    await assert.rejects(one.files.index(ID, signal), /service ends/);
    assert.equal(checks, 3);
    await assertUnchanged(one, before);
  });

  it('stays as it is when its parts are not those of a recorder', async () => {
    const change = (nth: number, edit: (data: Buffer) => Buffer): RecordingPart[] =>
      recorded.map((part, index) => (index === nth ? { ...part, data: edit(Buffer.from(part.data)) } : part));
    const edit = (text: string, place: number, value: number) => (data: Buffer) => {
      data.writeUInt32BE(value, data.indexOf(text) + place);
      return data;
    };
    const cases: Record<string, RecordingPart[]> = {
      'another box': change(2, (data) => Buffer.concat([data, Buffer.from([0, 0, 0, 8, 1, 1, 1, 1])])),
      'no boxes': change(2, (data) => Buffer.alloc(data.length, 7)),
      'a box without an end': change(2, edit('traf', -4, 0)),
      'too many samples': change(2, edit('trun', 8, 0xffffffff)),
      'samples outside': change(2, edit('trun', 12, 0x7fffffff)),
      'times that go back': change(2, edit('tfdt', 12, 0)),
      'no movie': change(0, (data) => Buffer.alloc(data.length)),
      'no key frame at first': recorded.filter((_, index) => index !== 1),
      'a fragment that only claims a key frame': recorded.map((part) =>
        part.type === 'fragment' ? { ...part, keyFrame: true } : part,
      ),
      'no fragment': recorded.slice(0, 1),
    };
    for (const [name, parts] of Object.entries(cases)) {
      const one = await written({ parts });
      const before = await one.video();
      await assert.rejects(one.files.index(ID, never), { name: 'VideoIndexError' }, name);
      await assertUnchanged(one, before);
    }
  });

  it('stays readable with any damage to the headers', async () => {
    const random = seeded(7);
    const nth = (count: number) => Math.floor(random() * count);
    for (let round = 0; round < 60; round++) {
      const damaged = 1 + nth(recorded.length - 1);
      const parts = recorded.map((part, index) => {
        if (index !== damaged) return part;
        const data = Buffer.from(part.data);
        data.writeUInt32BE(nth(2 ** 32), nth(Math.min(data.length - 4, data.readUInt32BE(0))));
        return { ...part, data };
      });
      const one = await written({ parts });
      const before = await one.video();
      const changed = await one.files.index(ID, never).catch(() => undefined);
      if (changed === undefined) await assertUnchanged(one, before);
      else assert.ok(indexEntries(await one.video()).length > 0);
    }
  });
});

describe('the groups of fragments', () => {
  const fragment = (time: number, keyFrame: boolean) => ({ time, duration: 1, offset: 0, size: 1, keyFrame });

  it('start with a key frame, and are fewer than an index can have', () => {
    const fragments = Array.from({ length: 1_000 }, (_, nth) => fragment(nth, nth % 2 === 0));
    assert.equal(fragmentGroups(fragments).length, 500);
    const few = fragmentGroups(fragments, 50);
    assert.ok(few.length <= 50 && few.length > 10);
    assert.ok(few.every(([first]) => first.keyFrame));
    assert.equal(few.flat().length, 1_000);
    assert.throws(() => fragmentGroups(fragments.slice(1)), { name: 'VideoIndexError' });
  });
});
