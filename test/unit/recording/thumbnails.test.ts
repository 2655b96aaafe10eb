import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Mp4Writer, VIDEO_TICKS } from '../../../server/src/host/features/recording/mp4-writer.js';
import { pictureAt } from '../../../server/src/recordings/thumbnails/picture-at.js';
import type { RecordedFragment } from '../../../server/src/sessions/recordings/recording-record.js';
import { Thumbnails, type PictureReader } from '../../../server/src/sessions/recordings/thumbnails.js';
import { quiet } from '../../fakes/service-parts.js';
import { decodeStill } from '../../support/decode-still.js';
import { TestStream } from '../../support/test-stream.js';

/** A file of one byte per fragment. A key frame is in every third one. */
const FRAGMENTS: RecordedFragment[] = Array.from({ length: 9 }, (_, index) => ({
  ...{ time: index * 2, duration: 2, offset: 1 + index, size: 1, keyFrame: index % 3 === 0 },
}));
const files = {
  fragments: () => Promise.resolve({ live: false, init: 1, fragments: FRAGMENTS }),
  read: (_id: string, _file: string, start: number, end: number) =>
    Readable.from([Buffer.from('i012345678'.slice(start, end + 1))]),
};
const textOf: PictureReader = (video) => buffer(video);

describe('thumbnails', () => {
  it('are read from the key frame before the time', async () => {
    const thumbnails = new Thumbnails(files, textOf, quiet);
    const at = async (seconds: number) => String(await thumbnails.of('id', { seconds, width: 320 }, false));
    assert.deepEqual(
      [await at(0), await at(3.9), await at(6), await at(11), await at(1_000)],
      ['i0', 'i01', 'i3', 'i345', 'i678'],
    );
  });

  it('are read from a finished video whose fragment is longer than usual', async () => {
    // A finished video has one fragment for each key frame. In `sharp` mode it can have more than 100 MB.
    const size = 150 * 2 ** 20;
    const fragments = [0, 1].map((nth) => ({
      ...{ time: nth * 15, duration: 15, offset: 1 + nth * size, size, keyFrame: true },
    }));
    const ranges: [number, number][] = [];
    const large = {
      fragments: () => Promise.resolve({ live: false, init: 1, fragments }),
      read: (_id: string, _file: string, start: number, end: number) => {
        ranges.push([start, end]);
        return Readable.from([Buffer.from('x')]);
      },
    };
    const thumbnails = new Thumbnails(large, textOf, quiet);
    await thumbnails.of('id', { seconds: 20, width: 320 }, true);
    assert.deepEqual(ranges, [
      [0, 0],
      [1 + size, 2 * size],
    ]);
  });

  it('do not exist before the first picture', async () => {
    const empty = { ...files, fragments: () => Promise.resolve({ live: false, init: 1, fragments: [] }) };
    const thumbnails = new Thumbnails(empty, textOf, quiet);
    await assert.rejects(thumbnails.of('id', { seconds: 0, width: 320 }, true), {
      code: 'err_not_found',
      status: 404,
    });
  });

  it('are read once while the recording does not grow, and again after a failure', async () => {
    let reads = 0;
    let fails = true;
    const read: PictureReader = () => {
      reads += 1;
      return fails ? Promise.reject(new Error('The video is damaged.')) : Promise.resolve(Buffer.from('x'));
    };
    const thumbnails = new Thumbnails(files, read, quiet);
    const order = { seconds: 1, width: 320 };
    await assert.rejects(thumbnails.of('id', order, true), { code: 'err_no_thumbnail', status: 503 });
    fails = false;
    await Promise.all([thumbnails.of('id', order, true), thumbnails.of('id', order, true)]);
    assert.equal(reads, 2);
    await thumbnails.of('id', order, false);
    assert.equal(reads, 3);
  });

  it('are read two at a time, and refused when too many wait', async () => {
    const running: (() => void)[] = [];
    const thumbnails = new Thumbnails(
      files,
      () => new Promise((resolve) => running.push(() => resolve(Buffer.from('x')))),
      quiet,
    );
    const all = Array.from({ length: 33 }, (_, nth) =>
      thumbnails.of(`recording ${nth % 3}`, { seconds: nth, width: 9 }, false),
    );
    const refused = all.pop();
    await assert.rejects(refused ?? Promise.resolve(), { code: 'err_no_thumbnail' });
    assert.equal(running.length, 2);
    const most: number[] = [];
    const ends = setInterval(() => {
      most.push(running.length);
      for (const end of running.splice(0)) end();
    });
    await Promise.all(all);
    clearInterval(ends);
    assert.equal(Math.max(...most), 2);
  });

  it('of one recording leave places for those of others', async () => {
    const running: (() => void)[] = [];
    const read: PictureReader = () =>
      new Promise((resolve) => running.push(() => resolve(Buffer.from('picture'))));
    const thumbnails = new Thumbnails(files, read, quiet);
    const of = (id: string, seconds: number) => thumbnails.of(id, { seconds, width: 320 }, true);
    const all = Array.from({ length: 16 }, (_, seconds) => of('crowd', seconds));
    await assert.rejects(of('crowd', 16), { code: 'err_no_thumbnail' });
    all.push(of('other', 0));
    const ends = setInterval(() => {
      for (const end of running.splice(0)) end();
    });
    await Promise.all(all);
    const again = of('crowd', 16);
    assert.equal(String(await again), 'picture');
    clearInterval(ends);
  });
});

describe('the picture of a time', () => {
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'cloud-browser-thumbnail-'))));
  after(() => rm(directory, { recursive: true }));

  /** Writes a video with a picture in each second, whose sizes alternate. */
  async function video(): Promise<string> {
    const streams = [new TestStream(320, 200), new TestStream(200, 320)];
    const [first] = streams;
    assert.ok(first);
    const keyFrame = first.frame(true);
    const { writer, init } = await Mp4Writer.open({ width: 320, height: 200, keyFrame, audio: true });
    const samples = Array.from({ length: 4 }, (_, second) => ({
      ...({ track: 'video', keyFrame: true } as const),
      data: second === 0 ? keyFrame : (streams[second % 2]?.frame(true) ?? keyFrame),
      ...{ time: second * VIDEO_TICKS, duration: VIDEO_TICKS },
    }));
    const path = join(directory, 'video.mp4');
    await writeFile(path, Buffer.concat([init, await writer.fragment(samples)]));
    await writer.close();
    for (const stream of streams) stream.close();
    return path;
  }

  it('is a JPEG of the requested width', async () => {
    const path = await video();
    const sizeAt = async (seconds: number, width: number) => {
      const picture = await decodeStill(await pictureAt(path, seconds, width), 'jpeg');
      return [picture.width, picture.height];
    };
    assert.deepEqual(await sizeAt(0, 160), [160, 100]);
    assert.deepEqual(await sizeAt(1.5, 64), [64, 102]);
    assert.deepEqual(await sizeAt(2.9, 1920), [320, 200], 'a picture is not made larger');
    assert.deepEqual(await sizeAt(100, 160), [160, 256]);
  });

  it('is refused for a file that is no video', async () => {
    const path = join(directory, 'text');
    await writeFile(path, 'This is no video.');
    await assert.rejects(pictureAt(path, 0, 100), /could not be opened|has no video/);
  });
});
