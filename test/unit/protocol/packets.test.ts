import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodePacket,
  decodeSoundPacket,
  encodePacketHeader,
  encodeSoundPacket,
  isSoundPacket,
  PACKET_HEADER_BYTES,
  ProtocolError,
  SOUND_HEADER_BYTES,
} from '../../../src/protocol/index.js';
import { fromHex, packetFixtures, toHex } from './fixtures.js';

describe('media packets on the wire', () => {
  for (const { name, hex, packet } of packetFixtures) {
    it(`${name} is exactly these bytes in both directions`, () => {
      const { payload, ...header } = packet;
      assert.equal(toHex(encodePacketHeader(header)) + payload, hex);
      assert.deepEqual(decodePacket(fromHex(hex)), { ...header, payload: fromHex(payload) });
    });
  }

  it('returns the payload without a copy', () => {
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

describe('sound packets on the wire', () => {
  const hex = '0301fffe8000000afc0102';
  const packet = { start: true, number: 0xfffe, captureTime: 0x8000000a, payload: fromHex('fc0102') };

  it('are exactly these bytes in both directions', () => {
    assert.equal(toHex(encodeSoundPacket(packet)), hex);
    assert.deepEqual(decodeSoundPacket(fromHex(hex)), packet);
  });

  it('differ from media packets in their first byte', () => {
    assert.equal(isSoundPacket(fromHex(hex)), true);
    for (const fixture of packetFixtures) assert.equal(isSoundPacket(fromHex(fixture.hex)), false);
  });

  it('are refused without a payload, and with another type', () => {
    assert.throws(() => decodeSoundPacket(fromHex(hex).subarray(0, SOUND_HEADER_BYTES)), ProtocolError);
    assert.throws(() => decodeSoundPacket(fromHex(packetFixtures[0]?.hex ?? '')), ProtocolError);
  });
});
