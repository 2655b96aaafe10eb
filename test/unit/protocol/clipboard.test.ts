import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ChunkReceiver,
  ChunkSender,
  decodeClipboardChunk,
  decodeViewerMessage,
  encodeClipboardChunk,
  isClipboardChunk,
  isSoundPacket,
  MAX_CHUNK_BYTES,
  MAX_TRANSFER_WINDOW,
  ProtocolError,
  type ClipboardData,
  type ClipboardOffer,
} from '../../../src/protocol/index.js';
import { fromHex, inputFixtures, packetFixtures, toHex } from './fixtures.js';

const MIB = 1024 * 1024;

describe('clipboard chunks on the wire', () => {
  const hex = '1000000000010203cafe';
  const chunk = { transfer: 0x10203, payload: fromHex('cafe') };

  it('are exactly these bytes in both directions', () => {
    assert.equal(toHex(encodeClipboardChunk(chunk)), hex);
    assert.deepEqual(decodeClipboardChunk(fromHex(hex)), chunk);
  });

  it('differ from all other messages in their first byte', () => {
    assert.equal(isClipboardChunk(fromHex(hex)), true);
    assert.equal(isSoundPacket(fromHex(hex)), false);
    for (const fixture of [...packetFixtures, ...inputFixtures])
      assert.equal(isClipboardChunk(fromHex(fixture.hex)), false);
  });

  it('are refused when they are empty, too long or of another type', () => {
    assert.throws(() => decodeClipboardChunk(fromHex(hex).subarray(0, 8)), ProtocolError);
    const long = encodeClipboardChunk({ transfer: 1, payload: new Uint8Array(MAX_CHUNK_BYTES + 1) });
    assert.throws(() => decodeClipboardChunk(long), ProtocolError);
    assert.throws(() => decodeClipboardChunk(fromHex(packetFixtures[0]?.hex ?? '')), ProtocolError);
  });
});

describe('messages about a transfer', () => {
  const part = { type: 'text/plain', size: 1 };
  const wrong: [what: string, message: object][] = [
    ['no number', { type: 'clipboard-ack', bytes: 1 }],
    ['the number 0', { type: 'clipboard-offer', transfer: 0, parts: [part] }],
    ['a fractional number', { type: 'clipboard-refused', transfer: 1.5 }],
    ['no parts', { type: 'clipboard-offer', transfer: 1, parts: [] }],
    ['parts that are not a list', { type: 'clipboard-offer', transfer: 1, parts: {} }],
    ['an unknown type', { type: 'clipboard-offer', transfer: 1, parts: [{ type: 'text/x', size: 1 }] }],
    ['a type twice', { type: 'clipboard-offer', transfer: 1, parts: [part, part] }],
    ['a negative size', { type: 'clipboard-offer', transfer: 1, parts: [{ ...part, size: -1 }] }],
    ['a part that is null', { type: 'clipboard-offer', transfer: 1, parts: [null] }],
    ['bytes that are not a number', { type: 'clipboard-ack', transfer: 1, bytes: '7' }],
  ];
  for (const [what, message] of wrong) {
    it(`are refused with ${what}`, () => {
      assert.throws(() => decodeViewerMessage(JSON.stringify(message)), ProtocolError);
    });
  }
});

/** A connection with this delay in milliseconds and this rate in bytes per millisecond. */
class Line {
  now = 0;
  offer: ClipboardOffer | undefined;
  readonly #way: { at: number; bytes: Uint8Array }[] = [];
  #free = 0;
  most = 0;

  constructor(
    private readonly delay: number,
    private readonly rate: number,
  ) {}

  send(data: ClipboardData): ClipboardData {
    const sender = new ChunkSender(7, data, {
      offer: (offer) => (this.offer = offer),
      chunk: (bytes) => {
        this.#free = Math.max(this.#free, this.now) + bytes.length / this.rate;
        this.#way.push({ at: this.#free + this.delay, bytes });
      },
      now: () => this.now,
    });
    const receiver = new ChunkReceiver(this.offer?.parts ?? []);
    while (!sender.done) {
      this.most = Math.max(
        this.most,
        this.#way.reduce((sum, { bytes }) => sum + bytes.length, 0),
      );
      const next = this.#way.shift();
      assert.ok(next, 'nothing is under way');
      this.now = next.at;
      receiver.push(decodeClipboardChunk(next.bytes).payload);
      this.now += this.delay;
      sender.acknowledged(receiver.received);
    }
    assert.ok(receiver.done);
    return receiver.data();
  }
}

const megabyte = (): ClipboardData =>
  new Map([
    ['text/plain', Uint8Array.from({ length: MIB }, (_, index) => index * 7)],
    ['text/html', fromHex('3c623e')],
  ]);

describe('a transfer', () => {
  it('delivers every part unchanged', () => {
    const data = megabyte();
    assert.deepEqual(new Line(1, 10_000).send(data), data);
    const empty: ClipboardData = new Map([['text/plain', new Uint8Array()]]);
    assert.deepEqual(new Line(1, 10_000).send(empty), empty);
  });

  it('of a megabyte takes less than a second at 20 Mbit/s and 25 ms each way', () => {
    const line = new Line(25, 2_500);
    line.send(megabyte());
    assert.ok(line.now < 1_000, `${line.now} ms`);
  });

  it('barely delays other messages on a slow connection, and fills no memory on a fast one', () => {
    const slow = new Line(25, 125);
    slow.send(megabyte());
    assert.ok(slow.most <= 128 * 1024, `${slow.most} bytes before everything else`);
    const quick = new Line(0, 1e9);
    quick.send(new Map([['image/png', new Uint8Array(16 * MIB)]]));
    assert.ok(quick.most <= MAX_TRANSFER_WINDOW + 16 * 8, `${quick.most} bytes`);
  });

  it('refuses more bytes than announced, and acknowledgements of unsent bytes', () => {
    const receiver = new ChunkReceiver([{ type: 'text/plain', size: 3 }]);
    assert.throws(() => receiver.push(new Uint8Array(4)), ProtocolError);
    const outlet = { offer: () => undefined, chunk: () => undefined, now: () => 0 };
    const sender = new ChunkSender(1, megabyte(), outlet);
    assert.throws(() => sender.acknowledged(2 * MIB), ProtocolError);
  });
});
