import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { seal, SealBrokenError, unseal } from '../../../server/src/profiles/seal.js';

const key = randomBytes(32);
const content = Buffer.from('cookie=secret'.repeat(100));

describe('a sealed profile', () => {
  it('opens with its key and its id', () => {
    assert.deepEqual(unseal(seal(content, 'one', key), 'one', key), content);
  });

  it('shows nothing of what it holds, and is never the same twice', () => {
    const sealed = seal(content, 'one', key);
    assert.equal(sealed.includes('secret'), false);
    assert.notDeepEqual(sealed, seal(content, 'one', key));
  });

  it('does not open with another key, nor in the place of another profile', () => {
    assert.throws(() => unseal(seal(content, 'one', key), 'one', randomBytes(32)), SealBrokenError);
    assert.throws(() => unseal(seal(content, 'one', key), 'two', key), SealBrokenError);
  });

  it('does not open with any one bit flipped', () => {
    const sealed = seal(Buffer.from('short'), 'one', key);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Buffer.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => unseal(flipped, 'one', key), SealBrokenError, `bit ${bit}`);
    }
  });

  it('does not open when its end is missing', () => {
    const sealed = seal(Buffer.from('short'), 'one', key);
    for (let length = 0; length < sealed.length; length++)
      assert.throws(() => unseal(sealed.subarray(0, length), 'one', key), SealBrokenError);
  });
});
