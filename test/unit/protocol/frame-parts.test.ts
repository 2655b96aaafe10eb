import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodeFramePart,
  encodeFrameParts,
  FRAME_PART_BYTES,
  isClipboardChunk,
  isFramePart,
  isSoundPacket,
  ProtocolError,
} from '../../../src/protocol/index.js';

const packet = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe('the parts of a frame', () => {
  for (const length of [1, FRAME_PART_BYTES, FRAME_PART_BYTES + 1, 32 * 1024])
    it(`contain all of its ${length} bytes in order`, () => {
      const parts = encodeFrameParts(7, packet(length)).map(decodeFramePart);
      assert.deepEqual(
        parts.map(({ sequence, index, count }) => [sequence, index, count]),
        parts.map((_, index) => [7, index, Math.ceil(length / FRAME_PART_BYTES)]),
      );
      assert.deepEqual(Uint8Array.from(parts.flatMap(({ payload }) => [...payload])), packet(length));
    });

  it('differ from all other binary messages of a host', () => {
    const [part = new Uint8Array()] = encodeFrameParts(0, packet(9));
    assert.deepEqual([isFramePart(part), isSoundPacket(part), isClipboardChunk(part)], [true, false, false]);
  });

  it('are refused if they are short, or if their frame has fewer parts', () => {
    assert.throws(() => decodeFramePart(Uint8Array.of(5, 0, 1, 0, 0, 0, 0, 0)), ProtocolError);
    assert.throws(() => decodeFramePart(Uint8Array.of(5, 2, 2, 0, 0, 0, 0, 0, 1)), ProtocolError);
    assert.throws(() => decodeFramePart(Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0, 1)), ProtocolError);
  });
});
