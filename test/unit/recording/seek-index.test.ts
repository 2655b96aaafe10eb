import assert from 'node:assert/strict';
import { copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { readFragmentList } from '../../../server/src/recordings/fragment-list.js';
import { INDEX_BYTES, seekIndex } from '../../../server/src/recordings/seek-index.js';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { recordSynthetic } from '../../support/synthetic-recording.js';

const SECONDS = 60;
const PACKETS = 40;

/** Reads the references of an index: sizes and durations in ticks. */
function referencesIn(box: Buffer): { size: number; duration: number }[] {
  assert.equal(box.toString('latin1', 4, 8), 'sidx');
  return Array.from({ length: box.readUInt16BE(38) }, (_, index) => ({
    size: box.readUInt32BE(40 + index * 12),
    duration: box.readUInt32BE(44 + index * 12),
  }));
}

describe('the index of a video', () => {
  const roots: string[] = [];
  after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

  async function recorded(encrypts = false) {
    const recording = await recordSynthetic(SECONDS, { encrypts });
    roots.push(recording.root);
    return recording;
  }

  const listOf = async (path: string) =>
    readFragmentList(await readFile(path.replace('video.mp4', 'fragments.jsonl'), 'utf8'));

  it('is written at the end, moves nothing, and leaves a file that plays without a warning', async () => {
    const { path, end } = await recorded();
    const before = await readFile(path);
    const { init, fragments } = await listOf(path);
    assert.equal(before.toString('latin1', init + 4, init + 8), 'free');
    await end();
    const file = await readFile(path);
    assert.equal(file.length, before.length);
    const references = referencesIn(file.subarray(init));
    assert.equal(references.length, fragments.filter(({ keyFrame }) => keyFrame).length);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    assert.equal(sum(references.map(({ size }) => size)), file.length - init - INDEX_BYTES);
    assert.equal(sum(references.map(({ duration }) => duration)), SECONDS * 90_000);
    assert.ok(['', undefined].includes(await probeWarnings(file)));
    assert.equal((await packetsOf(file)).length, PACKETS);
  });

  it('is added to an encrypted video when it is read, as it is in a plain file', async () => {
    const [plain, sealed] = [await recorded(), await recorded(true)];
    await plain.end();
    await sealed.end();
    const { files, id } = sealed;
    const size = (await files.size(id, 'video')) ?? 0;
    const video = await buffer(files.read(id, 'video', 0, size - 1));
    assert.ok(video.equals(await readFile(plain.path)));
    const { init } = await files.fragments(id);
    const part = await buffer(files.read(id, 'video', init - 5, init + INDEX_BYTES + 5));
    assert.ok(part.equals(video.subarray(init - 5, init + INDEX_BYTES + 6)));
  });

  it('leaves a file that plays if the service is killed before or while it is written', async () => {
    const { path, files, id, end } = await recorded();
    const { init } = await listOf(path);
    const list = await listOf(path);
    const whole = await readFile(path);
    // Everything except the header of the box is written.
    seekIndex(list).copy(whole, init + 8, 8);
    const cut = join(path, '..', 'cut.mp4');
    await writeFile(cut, whole);
    assert.ok(['', undefined].includes(await probeWarnings(whole)));
    assert.equal((await packetsOf(whole)).length, PACKETS);
    await copyFile(cut, path);
    await truncate(path, whole.length - 10);
    await files.repair(id);
    const repaired = await readFile(path);
    assert.equal(repaired.toString('latin1', init + 4, init + 8), 'sidx');
    assert.equal((await packetsOf(repaired)).length, PACKETS - 2);
    assert.ok(['', undefined].includes(await probeWarnings(repaired)));
    await end();
  });

  it('has fewer entries than key frames in a long recording', () => {
    const fragments = Array.from({ length: 50_000 }, (_, index) => ({
      ...{
        time: index * 15,
        duration: 15,
        offset: 1_000 + INDEX_BYTES + index * 10,
        size: 10,
        keyFrame: true,
      },
    }));
    const box = seekIndex({ sealed: false, init: 1_000, index: INDEX_BYTES, fragments });
    assert.equal(box.length, INDEX_BYTES);
    const references = referencesIn(box);
    assert.ok(references.length > 1_000 && references.length < 1_400, `${references.length} entries`);
    assert.equal(
      references.reduce((sum, { size }) => sum + size, 0),
      500_000,
    );
  });

  it('stays an empty place without fragments, and in recordings without the place', async () => {
    const none = { sealed: false, init: 1_000, index: INDEX_BYTES, fragments: [] };
    assert.equal(seekIndex(none).toString('latin1', 4, 8), 'free');
    const old = readFragmentList('[100]\n[50,0,2,1]\n');
    assert.deepEqual([old.init, old.index, old.fragments[0]?.offset], [100, 0, 100]);
    const now = readFragmentList(`[${100 + INDEX_BYTES},${INDEX_BYTES}]\n[50,0,2,1]\n`);
    assert.deepEqual([now.init, now.index, now.fragments[0]?.offset], [100, INDEX_BYTES, 100 + INDEX_BYTES]);
  });
});
