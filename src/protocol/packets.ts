import { ProtocolError, requireLength, viewOf } from './bytes.js';

/**
 * Media packets, host to viewer, one per binary WebSocket message. Big-endian:
 *
 * | offset | type | field |
 * |---|---|---|
 * | 0 | u8 | kind: 1 video, 2 image |
 * | 1 | u8 | flags: bit 0 key frame, bit 1 refinement |
 * | 2 | u16 | stream: number of the `stream` message that describes the payload |
 * | 4 | u32 | frame number, increases by one per encoded frame of the stream |
 * | 8 | u32 | time of capture on the host's monotonic clock, microseconds, wraps |
 * | 12 | u32 | the viewer's newest input event that the display had handled at capture; 0 for none |
 * | 16 | 4 × u16 | area that differs from the previous frame: x, y, width, height in pixels of the screen |
 * | 24 | … | payload: one H.264 access unit in Annex B form, or one whole JPEG picture |
 */
export interface MediaPacket {
  kind: 'video' | 'image';
  /** True if the frame can be decoded without earlier frames. This is true for every image. */
  keyFrame: boolean;
  /**
   * True if this frame only sharpens the picture that the viewer already has, because the screen is static.
   */
  refinement: boolean;
  stream: number;
  frame: number;
  /** Microseconds on the host's monotonic clock, modulo 2^32. Use it only for differences. */
  captureTime: number;
  inputSeq: number;
  /**
   * The area that differs from the previous frame. In a key frame, this is the whole picture. May extend
   * beyond the picture's edge. Empty (width and height 0) if the frame only repeats the picture.
   */
  area: PacketArea;
  payload: Uint8Array;
}

/** A rectangle, in pixels of the remote screen. */
export interface PacketArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Bytes of the fixed part of a {@link MediaPacket}, before the payload. */
export const PACKET_HEADER_BYTES = 24;

const KINDS = ['video', 'image'] as const;
const KEY_FRAME = 1;
const REFINEMENT = 2;

/**
 * Encodes the fixed part without the payload. So a host can send one payload to many viewers without a copy
 * for each.
 */
export function encodePacketHeader(packet: Omit<MediaPacket, 'payload'>): Uint8Array {
  const bytes = new Uint8Array(PACKET_HEADER_BYTES);
  const view = viewOf(bytes);
  view.setUint8(0, KINDS.indexOf(packet.kind) + 1);
  view.setUint8(1, (packet.keyFrame ? KEY_FRAME : 0) | (packet.refinement ? REFINEMENT : 0));
  view.setUint16(2, packet.stream);
  view.setUint32(4, packet.frame);
  view.setUint32(8, packet.captureTime);
  view.setUint32(12, packet.inputSeq);
  const { x, y, width, height } = packet.area;
  for (const [index, value] of [x, y, width, height].entries()) view.setUint16(16 + 2 * index, value);
  return bytes;
}

/** Decodes a packet. The payload is a view into `bytes`, not a copy. Throws {@link ProtocolError}. */
export function decodePacket(bytes: Uint8Array): MediaPacket {
  requireLength(bytes, PACKET_HEADER_BYTES, 'A media packet');
  const view = viewOf(bytes);
  const kind = KINDS[view.getUint8(0) - 1];
  if (!kind) throw new ProtocolError(`There is no media packet of kind ${view.getUint8(0)}.`);
  const flags = view.getUint8(1);
  return {
    kind,
    keyFrame: (flags & KEY_FRAME) !== 0,
    refinement: (flags & REFINEMENT) !== 0,
    stream: view.getUint16(2),
    frame: view.getUint32(4),
    captureTime: view.getUint32(8),
    inputSeq: view.getUint32(12),
    area: {
      ...{ x: view.getUint16(16), y: view.getUint16(18) },
      ...{ width: view.getUint16(20), height: view.getUint16(22) },
    },
    payload: bytes.subarray(PACKET_HEADER_BYTES),
  };
}
