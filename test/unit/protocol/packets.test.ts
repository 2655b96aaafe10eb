import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodePacket,
  encodePacketHeader,
  PACKET_HEADER_BYTES,
  ProtocolError,
} from '../../../src/protocol/index.js';
import { fromHex, packetFixtures, toHex } from './fixtures.js';

describe('media packets on the wire', () => {
  for (const { name, hex, packet } of packetFixtures) {
    it(`${name} is exactly these bytes, both ways`, () => {
      const { payload, ...header } = packet;
      assert.equal(toHex(encodePacketHeader(header)) + payload, hex);
      assert.deepEqual(decodePacket(fromHex(hex)), { ...header, payload: fromHex(payload) });
    });
  }

  it('hands out the payload without copying it', () => {
    const bytes = fromHex(packetFixtures[0]?.hex ?? '');
    assert.equal(decodePacket(bytes).payload.buffer, bytes.buffer);
  });

  it('refuses a packet that is too short or of an unknown kind', () => {
    assert.throws(() => decodePacket(new Uint8Array(PACKET_HEADER_BYTES - 1)), ProtocolError);
    for (const kind of [0, 3, 255]) {
      const bytes = new Uint8Array(PACKET_HEADER_BYTES);
      bytes[0] = kind;
      assert.throws(() => decodePacket(bytes), ProtocolError);
    }
  });
});
