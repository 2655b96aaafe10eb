/** Thrown for a message that does not follow the protocol. The connection that sent it is closed, nothing else. */
export class ProtocolError extends Error {
  readonly code = 'err_protocol';

  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 bytes of a string. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8; malformed bytes are a {@link ProtocolError}. */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ProtocolError('A text is not valid UTF-8.');
  }
}

/** A big-endian view of exactly these bytes, whatever buffer they are part of. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Refuses a message shorter than its fixed part. */
export function requireLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.byteLength < length) {
    throw new ProtocolError(`${what} needs ${length} bytes, got ${bytes.byteLength}.`);
  }
}
