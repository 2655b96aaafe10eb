import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaKind } from 'cloud-browser/protocol';
import type { EncodeRequest, Encoder } from '../../../../server/src/host/encode/encoder.js';
import { BitBudget } from '../../../../server/src/host/stream/bit-budget.js';
import { warmUpEncoder } from '../../../../server/src/host/stream/encoder-warm-up.js';
import { PatternSource } from '../../../fakes/pattern-source.js';

/** An encoder that records its use. */
class NotedEncoder implements Encoder {
  readonly refinesAreas = false;
  readonly codec = 'fake';
  readonly chroma = 'shared';
  readonly requests: EncodeRequest[] = [];
  closed = 0;

  constructor(private readonly broken = false) {}

  encode(_: unknown, request: EncodeRequest) {
    if (this.broken) throw new Error('broken');
    this.requests.push(request);
    return { data: Buffer.of(1), keyFrame: request.keyFrame };
  }

  encodeAside(_: unknown, request: EncodeRequest) {
    return Promise.resolve(this.encode(_, request));
  }

  close(): void {
    this.closed++;
  }
}

const budget = new BitBudget(1_000_000, () => 0);

test('a warm-up encodes one complete picture in the usual format, and cleans up', async () => {
  for (const [quality, expected] of [
    ['smooth', 'h264'],
    ['sharp', 'h264-444'],
  ] as const) {
    const source = new PatternSource(64, 48);
    const encoder = new NotedEncoder();
    const kinds: MediaKind[] = [];
    await warmUpEncoder(source, (media) => (kinds.push(media), { encoder, budget }), { quality });
    assert.deepEqual(kinds, [expected]);
    assert.deepEqual(
      encoder.requests.map(({ keyFrame, area }) => ({ keyFrame, area })),
      [{ keyFrame: true, area: { x: 0, y: 0, width: 64, height: 48 } }],
    );
    assert.equal(encoder.closed, 1);
    assert.equal(source.onDamage, undefined);
  }
});

test('a warm-up that fails ends', async () => {
  const encoder = new NotedEncoder(true);
  await warmUpEncoder(new PatternSource(64, 48), () => ({ encoder, budget }), { quality: 'smooth' });
  assert.equal(encoder.closed, 1);
  const noEncoder = () => {
    throw new Error('no encoder');
  };
  await warmUpEncoder(new PatternSource(64, 48), noEncoder, { quality: 'smooth' });
});
