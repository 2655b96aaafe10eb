import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { appendPieces } from '../../../server/src/platform/files/write-all.js';

describe('pieces of a file', () => {
  it('are written completely, also if the disk takes only some bytes at a time', async () => {
    const pieces = ['', 'abc', '', 'd', 'efghij', ''].map((text) => Buffer.from(text));
    for (let most = 1; most <= 11; most++) {
      let written = '';
      await appendPieces(
        {
          writev: (buffers) => {
            const all = Buffer.concat(
              buffers.map(({ buffer, byteOffset, byteLength }) => {
                return Buffer.from(buffer, byteOffset, byteLength);
              }),
            );
            const taken = String(all.subarray(0, most));
            written += taken;
            return Promise.resolve({ bytesWritten: taken.length, buffers });
          },
        },
        pieces,
      );
      assert.equal(written, 'abcdefghij', `${most} bytes at a time`);
    }
  });
});
