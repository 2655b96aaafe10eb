import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import {
  CHUNK_BYTES,
  MAGIC,
  seal,
  SealBrokenError,
  TAG_BYTES,
  unseal,
} from '../../../server/src/profiles/seal.js';

const key = randomBytes(32);
const content = Buffer.from('cookie=secret'.repeat(100));
const CHUNK = CHUNK_BYTES + TAG_BYTES;

/** A stream with chunks of this size. */
async function* pieces(bytes: Uint8Array, size = 10_000) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const sealed = (bytes: Uint8Array, id = 'one') => buffer(seal(pieces(bytes), id, key));
const opened = (bytes: Uint8Array, id = 'one', own: Uint8Array = key) =>
  buffer(unseal(pieces(bytes), id, own));

describe('a sealed profile', () => {
  for (const size of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES]) {
    it(`of ${size} bytes opens with its key and its id`, async () => {
      const bytes = randomBytes(size);
      assert.deepEqual(await opened(await sealed(bytes)), bytes);
    });
  }

  it('reveals none of its content, and is never the same twice', async () => {
    const first = await sealed(content);
    assert.equal(first.includes('secret'), false);
    assert.notDeepEqual(first, await sealed(content));
  });

  it('does not open with another key or as another profile', async () => {
    await assert.rejects(opened(await sealed(content), 'one', randomBytes(32)), SealBrokenError);
    await assert.rejects(opened(await sealed(content), 'two'), SealBrokenError);
  });

  // Proves: profiles are sealed, damaged or foreign ones are refused
  it('does not open with any flipped bit', async () => {
    const bytes = await sealed(Buffer.from('short'));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await assert.rejects(opened(flipped), SealBrokenError, `bit ${bit}`);
    }
  });

  it('does not open without its end, also after a complete chunk', async () => {
    const short = await sealed(Buffer.from('short'));
    for (let length = 0; length < short.length; length++)
      await assert.rejects(opened(short.subarray(0, length)), SealBrokenError);
    const long = await sealed(randomBytes(3 * CHUNK_BYTES));
    const head = long.length - 3 * CHUNK;
    for (let chunks = 0; chunks < 3; chunks++)
      await assert.rejects(opened(long.subarray(0, head + chunks * CHUNK)), SealBrokenError);
  });

  it('does not open when chunks are missing, moved or repeated', async () => {
    const bytes = await sealed(randomBytes(3 * CHUNK_BYTES));
    const start = bytes.length - 3 * CHUNK;
    const chunk = (number: number) =>
      number < 0 ? bytes.subarray(0, start) : bytes.subarray(start + number * CHUNK).subarray(0, CHUNK);
    for (const order of [
      [-1, 1, 2],
      [-1, 0, 2],
      [-1, 1, 0, 2],
      [-1, 0, 0, 1, 2],
      [-1, 0, 1, 2, 2],
      [0, 1, 2],
    ])
      await assert.rejects(opened(Buffer.concat(order.map(chunk))), SealBrokenError, String(order));
  });

  it('contains the version of its format', async () => {
    assert.ok((await sealed(content)).subarray(0, MAGIC.length).equals(MAGIC));
  });
});
