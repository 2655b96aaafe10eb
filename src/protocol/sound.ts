import { ProtocolError, requireLength, viewOf } from './bytes.js';

/** The format of sound packets: Opus (RFC 6716), stereo. */
export const SOUND_FORMAT = {
  codec: 'opus',
  /** Samples per second and channel. */
  sampleRate: 48_000,
  channels: 2,
  /** Samples per channel in a packet: 20 ms. */
  packetSamples: 960,
} as const;

/**
 * Sound packets, host to viewer, one per binary WebSocket message. No other binary message of the host starts
 * with the same byte. Big-endian:
 *
 * | offset | type | field |
 * |---|---|---|
 * | 0 | u8 | kind: 3 |
 * | 1 | u8 | flags: bit 0 start |
 * | 2 | u16 | packet number, increases by one per packet of the session, wraps |
 * | 4 | u32 | time of capture on the host's monotonic clock, microseconds, wraps |
 * | 8 | … | payload: one Opus packet, see {@link SOUND_FORMAT} |
 */
export interface SoundPacket {
  /**
   * True for the first packet, and for the first packet after a silence. During silence no packets are sent.
   */
  start: boolean;
  /** 0 to 65535. */
  number: number;
  /** Microseconds, modulo 2^32, on the same clock as the capture times of frames. */
  captureTime: number;
  payload: Uint8Array;
}

/** Bytes of the fixed part of a {@link SoundPacket}. */
export const SOUND_HEADER_BYTES = 8;

const SOUND = 3;
const START = 1;

/** True if a binary message of the host is a sound packet. */
export function isSoundPacket(bytes: Uint8Array): boolean {
  return bytes[0] === SOUND;
}

export function encodeSoundPacket({ start, number, captureTime, payload }: SoundPacket): Uint8Array {
  const bytes = new Uint8Array(SOUND_HEADER_BYTES + payload.byteLength);
  const view = viewOf(bytes);
  view.setUint8(0, SOUND);
  view.setUint8(1, start ? START : 0);
  view.setUint16(2, number);
  view.setUint32(4, captureTime);
  bytes.set(payload, SOUND_HEADER_BYTES);
  return bytes;
}

/** Decodes a packet. The payload is a view into `bytes`, not a copy. Throws {@link ProtocolError}. */
export function decodeSoundPacket(bytes: Uint8Array): SoundPacket {
  requireLength(bytes, SOUND_HEADER_BYTES + 1, 'A sound packet');
  const view = viewOf(bytes);
  if (view.getUint8(0) !== SOUND) throw new ProtocolError(`Kind ${view.getUint8(0)} is not sound.`);
  return {
    start: (view.getUint8(1) & START) !== 0,
    number: view.getUint16(2),
    captureTime: view.getUint32(4),
    payload: bytes.subarray(SOUND_HEADER_BYTES),
  };
}
