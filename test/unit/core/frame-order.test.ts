import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FrameOrder } from '../../../src/core/connection/frame-order.js';
import { encodeFrameParts } from '../../../src/protocol/index.js';

/** A frame: bytes, and true if it is sent in parts on both connections. */
interface Frame {
  bytes: Uint8Array;
  inParts: boolean;
}

const frames = fc.array(
  fc.record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 4_000 }), inParts: fc.boolean() }),
  { maxLength: 12 },
);

describe('the order of frames', () => {
  it('is kept, and each frame is delivered once, however the connections take turns', () => {
    fc.assert(
      fc.property(frames, fc.infiniteStream(fc.boolean()), fc.boolean(), (sent, turns, ends) => {
        const delivered: Uint8Array[] = [];
        const order = new FrameOrder(
          (packet) => delivered.push(packet),
          () => undefined,
          () => 0,
        );
        const first = sent.flatMap(({ bytes, inParts }: Frame, sequence) =>
          inParts
            ? encodeFrameParts(sequence, bytes).map((part) => () => order.part(part, false))
            : [() => order.whole(bytes)],
        );
        const second = sent.flatMap(({ bytes, inParts }: Frame, sequence) =>
          inParts
            ? encodeFrameParts(sequence, bytes)
                .reverse()
                .map((part) => () => order.part(part, true))
            : [],
        );
        // The second connection may break at any time.
        if (ends) second.length = Math.floor(second.length / 2);
        for (const turn of turns) {
          const next = turn ? first.shift() : (second.shift() ?? first.shift());
          if (next) next();
          if (first.length === 0) break;
        }
        assert.deepEqual(
          delivered,
          sent.map(({ bytes }) => bytes),
        );
      }),
    );
  });

  it('delivers a frame whose packet is lost on one connection as soon as the other one has its rest', () => {
    const delivered: number[] = [];
    const order = new FrameOrder(
      ({ byteLength }) => delivered.push(byteLength),
      () => undefined,
      () => 0,
    );
    const parts = encodeFrameParts(0, new Uint8Array(4_000));
    const [one, , , four] = parts;
    if (one) order.part(one, false);
    if (four) order.part(four, true);
    assert.deepEqual(delivered, []);
    for (const part of parts.slice(1, 3).reverse()) order.part(part, true);
    assert.deepEqual(delivered, [4_000]);
  });

  for (const [what, delay, useless] of [
    ['has helped', 20, 0],
    ['brings everything when the first one does', 5, 1],
  ] as const)
    it(`reports once in 300 frames if the second connection ${what}: ${useless} times`, () => {
      let now = 0;
      let reports = 0;
      const order = new FrameOrder(
        () => undefined,
        () => reports++,
        () => now,
      );
      for (let sequence = 0; sequence < 300; sequence++) {
        const parts = encodeFrameParts(sequence, new Uint8Array(2_000));
        for (const part of [...parts].reverse()) order.part(part, true);
        now += sequence === 100 ? delay : 5;
        for (const part of parts) order.part(part, false);
      }
      assert.equal(reports, useless);
    });
});
