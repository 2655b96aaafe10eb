import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { KnownReaders } from '../../../server/src/recordings/known-readers.js';
import { MissingBlobError } from '../../../server/src/recordings/blobs/recording-blobs.js';
import {
  RecordingDirectory,
  type RecordingStore,
} from '../../../server/src/recordings/recording-directory.js';
import { PlainReader } from '../../../server/src/recordings/recording-reader.js';
import { RECORDING_KEY } from '../../fakes/recording-parts.js';
import { recordedVideo } from '../../support/recorded-video.js';
import { rootsFixture } from '../../support/recordings-fixture.js';

const ID = '4f1d1c1a-0000-4000-8000-000000000002';
const newRoot = rootsFixture();

/** A store in memory that counts its requests. */
class CountingStore implements RecordingStore {
  readonly #files = new Map<string, Buffer>();
  requests = 0;

  async size(_id: string, name: string): Promise<number | undefined> {
    this.requests += 1;
    return this.#files.get(name)?.length;
  }

  async read(id: string, name: string, start: number, end: number): Promise<Readable> {
    this.requests += 1;
    const file = this.#files.get(name);
    if (!file) throw new MissingBlobError(id, name);
    return Readable.from([file.subarray(start, end + 1)]);
  }

  async put(_id: string, name: string, path: string): Promise<void> {
    this.#files.set(name, await readFile(path));
  }

  async remove(): Promise<void> {
    this.#files.clear();
  }
}

/** Records a video, which is in the store then. */
async function moved(encrypts: boolean) {
  const root = await newRoot();
  const store = new CountingStore();
  const files = await RecordingDirectory.open(root, { key: RECORDING_KEY, encrypts, store, spareBytes: 0 });
  const writer = await files.create(ID);
  for (const part of await recordedVideo()) await writer.write(part);
  await writer.close();
  await files.index(ID, new AbortController().signal);
  await files.move(ID);
  store.requests = 0;
  return { files, store };
}

describe('a finished video', () => {
  for (const encrypts of [false, true])
    it(`is read with one request to its store for each further range${encrypts ? ', encrypted' : ''}`, async () => {
      const { files, store } = await moved(encrypts);
      const size = (await files.size(ID, 'video')) ?? 0;
      const whole = await buffer(files.read(ID, 'video', 0, size - 1));
      assert.equal(whole.length, size);
      const { init } = await files.fragments(ID);
      for (const start of [init, init + 1_000, size - 100]) {
        store.requests = 0;
        assert.equal(await files.size(ID, 'video'), size);
        const part = await buffer(files.read(ID, 'video', start, size - 1));
        assert.ok(part.equals(whole.subarray(start)));
        assert.equal(store.requests, 1);
      }
      await files.remove(ID);
      assert.equal(await files.size(ID, 'video'), undefined);
    });
});

describe('known readers', () => {
  const reader = new PlainReader(new CountingStore(), ID, {
    ...{ sealed: false, live: false, init: 0, index: 0, fragments: [] },
  });

  it('are those that were used last', () => {
    const known = new KnownReaders();
    for (let nth = 0; nth < 16; nth++) known.add(`${nth}`, reader, 1);
    assert.ok(known.get('0'));
    known.add('16', reader, 1);
    assert.deepEqual([known.get('0'), known.get('1'), known.get('16')], [reader, undefined, reader]);
  });

  it('know a bounded number of fragments', () => {
    const known = new KnownReaders();
    known.add('one', reader, 60_000);
    known.add('two', reader, 60_000);
    assert.deepEqual([known.get('one'), known.get('two')], [undefined, reader]);
    known.add('longest', reader, 200_000);
    assert.deepEqual([known.get('two'), known.get('longest')], [undefined, undefined]);
  });
});
