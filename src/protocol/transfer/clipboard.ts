import { ProtocolError, requireLength, viewOf } from '../bytes.js';
import type { CallFailure } from '../calls.js';
import { CLIPBOARD_TYPES, type ClipboardType } from '../session-api/clipboard.js';

/** The same content in one or more types, as bytes. */
export type ClipboardData = ReadonlyMap<ClipboardType, Uint8Array>;

/** One type of a transfer's content, and its size in bytes. */
export interface ClipboardPart {
  type: ClipboardType;
  size: number;
}

/**
 * In both directions: starts a transfer and lists its content. The chunks follow, with the bytes of `parts`
 * in their order.
 */
export interface ClipboardOffer {
  type: 'clipboard-offer';
  /**
   * Chosen by the sender. Viewers choose 1 to 2147483647, the host chooses 2147483648 to 4294967295.
   * Different for each transfer of a connection.
   */
  transfer: number;
  parts: ClipboardPart[];
}

/**
 * In both directions, from the receiver of a transfer: the total number of received bytes, for all parts
 * together.
 */
export interface ClipboardAck {
  type: 'clipboard-ack';
  transfer: number;
  bytes: number;
}

/**
 * In both directions: ends a transfer. A viewer can end only transfers from the host. The host can end every
 * transfer, and states a reason.
 */
export interface ClipboardRefusal {
  type: 'clipboard-refused';
  transfer: number;
  error?: CallFailure;
}

/** The messages of a transfer, except its chunks. */
export type ClipboardMessage = ClipboardOffer | ClipboardAck | ClipboardRefusal;

/** True if a message belongs to a clipboard transfer. */
export function isClipboardMessage<Message extends { type: string }>(
  message: Message,
): message is Extract<Message, ClipboardMessage> {
  return message.type.startsWith('clipboard-');
}

/**
 * A piece of a transfer, in both directions, one per binary WebSocket message. Pieces arrive in order.
 * Big-endian:
 *
 * | offset | type | field |
 * |---|---|---|
 * | 0 | u8 | kind: 16 |
 * | 1 | 3 × u8 | 0 |
 * | 4 | u32 | transfer |
 * | 8 | … | 1 to 65 536 bytes |
 */
export interface ClipboardChunk {
  transfer: number;
  payload: Uint8Array;
}

/** Maximum bytes in one {@link ClipboardChunk}. */
export const MAX_CHUNK_BYTES = 65_536;
/** The first byte of a chunk. */
export const CHUNK = 16;
/** Bytes before the payload of a chunk. */
export const CHUNK_HEADER = 8;

/**
 * True if a binary message is a chunk. No other binary message starts with this byte, in either direction.
 */
export function isClipboardChunk(bytes: Uint8Array): boolean {
  return bytes[0] === CHUNK;
}

/** Decodes a chunk. The payload is a view into `bytes`. Throws {@link ProtocolError}. */
export function decodeClipboardChunk(bytes: Uint8Array): ClipboardChunk {
  requireLength(bytes, CHUNK_HEADER + 1, 'A clipboard chunk');
  if (bytes[0] !== CHUNK) throw new ProtocolError(`Kind ${bytes[0]} is not a clipboard chunk.`);
  if (bytes.byteLength - CHUNK_HEADER > MAX_CHUNK_BYTES)
    throw new ProtocolError(`A clipboard chunk may have ${MAX_CHUNK_BYTES} bytes at most.`);
  return { transfer: viewOf(bytes).getUint32(4), payload: bytes.subarray(CHUNK_HEADER) };
}

/** Decodes a viewer's message by its `type`. The message is not trusted. Throws {@link ProtocolError}. */
export function decodeClipboardMessage(
  type: ClipboardMessage['type'],
  { transfer, parts, bytes }: Record<string, unknown>,
): ClipboardMessage {
  if (!isSize(transfer, 0xffffffff) || transfer === 0)
    throw new ProtocolError('transfer must be a number from 1 to 4294967295.');
  if (type === 'clipboard-refused') return { type, transfer };
  if (type === 'clipboard-ack') {
    if (!isSize(bytes, 0xffffffff)) throw new ProtocolError('bytes must be a number of bytes.');
    return { type, transfer, bytes };
  }
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > CLIPBOARD_TYPES.length)
    throw new ProtocolError(`parts must be a list of 1 to ${CLIPBOARD_TYPES.length} types.`);
  const read = parts.map((part: unknown) => partOf(part));
  if (new Set(read.map((part) => part.type)).size < read.length)
    throw new ProtocolError('parts must name each type once.');
  return { type, transfer, parts: read };
}

function partOf(value: unknown): ClipboardPart {
  const { type, size } = (value ?? {}) as Record<string, unknown>;
  const known = CLIPBOARD_TYPES.find((name) => name === type);
  if (!known) throw new ProtocolError(`Each part must be one of: ${CLIPBOARD_TYPES.join(', ')}.`);
  if (!isSize(size, 0xffffffff)) throw new ProtocolError('size must be a number of bytes.');
  return { type: known, size };
}

function isSize(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
