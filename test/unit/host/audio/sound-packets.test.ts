import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PACKET_BYTES, SoundPackets } from '../../../../server/src/host/audio/sound-packets.js';
import { decodeSoundPacket, type SoundPacket } from '../../../../src/protocol/index.js';

const silence = (packets: number) => Buffer.alloc(packets * PACKET_BYTES);
const sound = (packets: number) => Buffer.alloc(packets * PACKET_BYTES, 1);

/** Returns the packets of some samples. Their payload is the first sample's first byte. */
function packetsOf({ wanted, now }: { wanted?: () => boolean; now?: () => number } = {}) {
  const sent: SoundPacket[] = [];
  let encoded = 0;
  const packets = new SoundPackets({
    encode: (samples) => {
      assert.equal(samples.length, PACKET_BYTES);
      encoded++;
      return samples.subarray(0, 1);
    },
    wanted: wanted ?? (() => true),
    now: now ?? (() => 0),
    send: (packet) => sent.push(decodeSoundPacket(packet)),
  });
  return { push: (samples: Buffer) => packets.push(samples), sent, encoded: () => encoded };
}

describe('sound packets', () => {
  it('contain all of the sound, whatever the size of its pieces', () => {
    const { push, sent } = packetsOf();
    const samples = Buffer.concat([Buffer.alloc(PACKET_BYTES, 1), Buffer.alloc(PACKET_BYTES, 2), sound(1)]);
    for (let at = 0; at < samples.length; at += 1_000) push(samples.subarray(at, at + 1_000));
    assert.deepEqual(
      sent.map(({ payload }) => payload[0]),
      [1, 2, 1],
    );
    assert.deepEqual(
      sent.map(({ number }) => number),
      [1, 2, 3],
    );
  });

  it('fade out at the end of the sound, and stop until the next sound', () => {
    const { push, sent, encoded } = packetsOf();
    push(silence(5));
    assert.equal(sent.length, 0);
    push(sound(3));
    push(silence(100));
    assert.equal(sent.length, 3 + 10);
    push(sound(2));
    assert.equal(sent.length, 3 + 10 + 2);
    assert.deepEqual(
      sent.flatMap(({ start }, index) => (start ? [index] : [])),
      [0, 13],
    );
    assert.equal(encoded(), sent.length);
  });

  it('are not made without listeners, and start again with the first one', () => {
    let wanted = true;
    const { push, sent, encoded } = packetsOf({ wanted: () => wanted });
    push(sound(2));
    wanted = false;
    push(sound(50));
    assert.equal(encoded(), 2);
    wanted = true;
    push(sound(2));
    assert.deepEqual(
      sent.map(({ start }) => start),
      [true, false, true, false],
    );
  });

  it('have numbers and times within the fields of the format', () => {
    const { push, sent } = packetsOf({ now: () => 5_000_000 });
    push(sound(0x10000 + 1));
    assert.deepEqual([sent[0xfffe]?.number, sent[0xffff]?.number, sent[0x10000]?.number], [0xffff, 0, 1]);
    assert.equal(sent[0]?.captureTime, 5_000_000_000 % 2 ** 32);
  });
});
