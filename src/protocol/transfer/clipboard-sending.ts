/** Code that only the sender of a clipboard transfer needs. A page loads it later than `clipboard.ts`. */
import { viewOf } from '../bytes.js';
import { CHUNK, CHUNK_HEADER, type ClipboardChunk, type ClipboardPart } from './clipboard.js';
import type { ClipboardType } from '../session-api/clipboard.js';

const MIB = 1024 * 1024;

/** Maximum number of bytes of each type, UTF-8 for texts. Larger content is refused, never truncated. */
export const CLIPBOARD_LIMITS: Readonly<Record<ClipboardType, number>> = {
  'text/plain': 4 * MIB,
  'text/html': 4 * MIB,
  'image/png': 16 * MIB,
};

/** Encodes a chunk. */
export function encodeClipboardChunk({ transfer, payload }: ClipboardChunk): Uint8Array {
  const bytes = new Uint8Array(CHUNK_HEADER + payload.byteLength);
  bytes[0] = CHUNK;
  viewOf(bytes).setUint32(4, transfer);
  bytes.set(payload, CHUNK_HEADER);
  return bytes;
}

/** Returns the total bytes of all parts. */
export function sizeOfParts(parts: readonly ClipboardPart[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the first part that is over its limit. Undefined if there is none. */
export function oversized(parts: readonly ClipboardPart[]): ClipboardPart | undefined {
  return parts.find(({ type, size }) => size > CLIPBOARD_LIMITS[type]);
}
