/**
 * Thrown for a message or a value that violates the protocol. The host closes the connection that sent an
 * invalid message. A client skips an invalid message.
 */
export class ProtocolError extends Error {
  readonly code = 'err_protocol';

  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Encodes a string as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8. Throws {@link ProtocolError} for malformed bytes. */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ProtocolError('A text is not valid UTF-8.');
  }
}

/**
 * Returns a view of exactly these bytes, at their offset in the buffer. Like every `DataView`, it is
 * big-endian by default.
 */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the bytes of all pieces in one array. A single piece is returned itself, without a copy. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** Throws {@link ProtocolError} if a message is shorter than `length` bytes. `what` names the message. */
export function requireLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.byteLength < length) {
    throw new ProtocolError(`${what} needs ${length} bytes, got ${bytes.byteLength}.`);
  }
}
