import { MAX_TEXT_BYTES } from '../../protocol/index.js';

/**
 * Splits a text between code points into pieces that fit into one event each. `limit` is in bytes of UTF-8.
 */
export function textPieces(text: string, limit = MAX_TEXT_BYTES): string[] {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of text) {
    const size = utf8Length(character.codePointAt(0) ?? 0);
    if (bytes + size > limit) {
      pieces.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  if (piece) pieces.push(piece);
  return pieces;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
