import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { longVideo, RATE } from '../../bench/seeks/long-video.js';
import { BITS, FIELD, ROWS } from '../../bench/seeks/numbered-pictures.js';
import { seekTable } from '../../bench/seeks/seek-table.js';
import { decodePictures } from '../../support/decoded-pictures.js';

const GROUPS = 3;
/** Pictures from one key frame to the next. */
const GROUP = 75;

describe('the long video of the benchmark', () => {
  it('shows the number of each picture, although most pictures are used in every group', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-long-'));
    try {
      const path = join(directory, 'video.mp4');
      const parts: Buffer[] = [];
      for await (const { data } of longVideo(GROUPS)) parts.push(data);
      await writeFile(path, Buffer.concat(parts));
      const numbers: { time: number; number: number }[] = [];
      await decodePictures(path, (picture) => {
        const { time } = picture;
        const read = (top: number) =>
          Array.from({ length: BITS }, (_, bit) =>
            picture.luma((bit + 0.5) * FIELD, top + FIELD / 2) > 127 ? 1 << bit : 0,
          ).reduce((sum, value) => sum + value, 0);
        numbers.push({ time, number: read(ROWS.group) * GROUP + read(ROWS.nth) });
      });
      assert.equal(numbers.length, GROUPS * GROUP);
      for (const { time, number } of numbers) assert.equal(number, Math.round(time * RATE), `${time} s`);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the table of seeks', () => {
  it('has the slowest seek and the number of wrong pictures', () => {
    const result = {
      build: undefined,
      encrypted: true,
      size: 9.64e7,
      open: 80.2,
      seeks: [10, 20, 90],
      wrong: 1,
    };
    const [, , row] = seekTable([{ ...result, requests: 42, bytes: 5.25e6 }]).split('\n');
    assert.equal(row, '| encrypted | 96.4 | 80 | 20 / 90 | at most 500 | 1 of 3 | 42 | 5.3 |');
  });
});
