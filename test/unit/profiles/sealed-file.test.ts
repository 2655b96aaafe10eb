import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { sealInto } from '../../../server/src/profiles/sealed-file.js';

const OWNER = { id: 'profile', key: randomBytes(32) };
const FULL = new Error('no space left on device');

/** More bytes than the buffers of streams hold. Counts how often it is closed. */
function longContent() {
  const state = { closed: 0 };
  const content = (async function* () {
    try {
      for (let nth = 0; nth < 1_000; nth++) yield await Promise.resolve(randomBytes(65_536));
    } finally {
      state.closed++;
    }
  })();
  return { state, content };
}

describe('a profile that cannot be written', () => {
  for (const chunks of [0, 1, 3])
    it(`is refused and ends its source after ${chunks} chunks`, async () => {
      const { state, content } = longContent();
      const write = async (sealed: AsyncIterable<Buffer>) => {
        let left = chunks;
        if (left === 0) throw FULL;
        for await (const chunk of sealed) if (chunk.length > 0 && --left === 0) throw FULL;
      };
      await assert.rejects(sealInto(content, OWNER, write), FULL);
      assert.equal(state.closed, 1);
    });
});
