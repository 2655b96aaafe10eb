import { ProtocolError, requireLength, viewOf } from './bytes.js';

/**
 * Parts of frames, host to viewer, one per binary WebSocket message. Used only while a viewer has a second
 * connection. Each part is sent on the first connection, and a copy of it on the second. Big-endian:
 *
 * | offset | type | field |
 * |---|---|---|
 * | 0 | u8 | kind: 5 |
 * | 1 | u8 | index of the part, from 0 |
 * | 2 | u8 | number of parts of this frame |
 * | 3 | u8 | 0 |
 * | 4 | u32 | sequence: number of frames that the first connection carried before this frame |
 * | 8 | … | payload: the piece of the frame's media packet that belongs to this part |
 */
export interface FramePart {
  index: number;
  count: number;
  /** Number of the frame. Counts all frames of the first connection, whole or in parts, from 0. */
  sequence: number;
  payload: Uint8Array;
}

/** Bytes before the payload of a {@link FramePart}. */
export const FRAME_PART_HEADER_BYTES = 8;
/**
 * Maximum bytes of a payload. Such a part fits into one network packet, together with the headers of all
 * protocols.
 */
export const FRAME_PART_BYTES = 1_300;

const FRAME_PART = 5;

/** True if a binary message of the host is a part of a frame. */
export function isFramePart(bytes: Uint8Array): boolean {
  return bytes[0] === FRAME_PART;
}

/** Divides a media packet into encoded parts. The packet must fit into 255 parts. */
export function encodeFrameParts(sequence: number, packet: Uint8Array): Uint8Array[] {
  const count = Math.ceil(packet.byteLength / FRAME_PART_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const payload = packet.subarray(index * FRAME_PART_BYTES, (index + 1) * FRAME_PART_BYTES);
    const bytes = new Uint8Array(FRAME_PART_HEADER_BYTES + payload.byteLength);
    bytes.set([FRAME_PART, index, count]);
    viewOf(bytes).setUint32(4, sequence);
    bytes.set(payload, FRAME_PART_HEADER_BYTES);
    return bytes;
  });
}

/** Decodes a part. The payload is a view into `bytes`. Throws {@link ProtocolError}. */
export function decodeFramePart(bytes: Uint8Array): FramePart {
  requireLength(bytes, FRAME_PART_HEADER_BYTES + 1, 'A part of a frame');
  const view = viewOf(bytes);
  const [index, count] = [view.getUint8(1), view.getUint8(2)];
  if (index >= count) throw new ProtocolError(`A frame of ${count} parts has no part ${index}.`);
  return {
    ...{ index, count },
    sequence: view.getUint32(4),
    payload: bytes.subarray(FRAME_PART_HEADER_BYTES),
  };
}
