import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { CodedError } from '../platform/coded-error.js';

/** First bytes of a profile that {@link seal} encrypts. The digit is the version of the format. */
export const MAGIC = Buffer.from('cloud-browser profile 2\n');
/** Number of bytes of content in a sealed chunk. Only the last chunk of a profile may have fewer bytes. */
export const CHUNK_BYTES = 65_536;
export const CIPHER = 'aes-256-gcm';
export const TAG_BYTES = 16;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;

/** Thrown if the bytes are not a complete profile with the expected id, sealed with the expected key. */
export class SealBrokenError extends CodedError {
  readonly code = 'err_seal_broken';

  constructor() {
    super('This is not a complete profile with this id, encrypted with this key.');
  }
}

/**
 * Encrypts a stream. The result consists of the magic, a salt and chunks. Each chunk is authenticated with
 * its number and with a mark that tells if it is the last chunk. So a removed, moved or truncated chunk is
 * detected (the STREAM construction: Hoang, Reyhanitabar, Rogaway, Vizár 2015). The key of the chunks is
 * derived from `key`, the salt and the id (HKDF, RFC 5869). So two profiles never have the same key, and an
 * attacker cannot put one profile in the place of another.
 */
export async function* seal(
  content: AsyncIterable<Uint8Array>,
  id: string,
  key: Uint8Array,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  yield Buffer.concat([MAGIC, salt]);
  const own = deriveKey(key, salt, id);
  let number = 0;
  for await (const { piece, last } of cut(content, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, own, nonceOf(number++, last), { authTagLength: TAG_BYTES });
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/**
 * Decrypts the output of {@link seal}. Yields each chunk after authenticating it. If chunks are missing at
 * the end, this is detected only after the other chunks were yielded. Throws {@link SealBrokenError}.
 */
export async function* unseal(
  sealed: AsyncIterable<Uint8Array>,
  id: string,
  key: Uint8Array,
): AsyncGenerator<Buffer> {
  const { head, rest } = await split(sealed, MAGIC.length + SALT_BYTES);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealBrokenError();
  const own = deriveKey(key, head.subarray(MAGIC.length), id);
  let number = 0;
  for await (const { piece, last } of cut(rest, CHUNK_BYTES + TAG_BYTES)) {
    const end = piece.length - TAG_BYTES;
    if (end < 0) throw new SealBrokenError();
    const decipher = createDecipheriv(CIPHER, own, nonceOf(number++, last), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(piece.subarray(end));
    const content = decipher.update(piece.subarray(0, end));
    try {
      decipher.final();
    } catch {
      throw new SealBrokenError();
    }
    yield content;
  }
}

function deriveKey(key: Uint8Array, salt: Uint8Array, id: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, Buffer.concat([MAGIC, Buffer.from(id)]), 32));
}

/**
 * Returns the nonce of a chunk. The first eleven bytes contain the chunk's number, in six bytes after five
 * zeros. The last byte is 1 for the last chunk.
 */
function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, NONCE_BYTES - 7, 6);
  nonce.writeUInt8(last ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

/** Cuts a stream into pieces of this size. Only the last piece may be shorter, or empty. */
async function* cut(
  stream: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    held.push(part);
    length += part.length;
    if (length <= size) continue;
    let whole = Buffer.concat(held);
    for (; whole.length > size; whole = whole.subarray(size))
      yield { piece: whole.subarray(0, size), last: false };
    held = [whole];
    length = whole.length;
  }
  yield { piece: Buffer.concat(held), last: true };
}

/**
 * Returns the first `size` bytes of a stream, and the rest of the stream. Throws {@link SealBrokenError} if
 * the stream has fewer bytes.
 */
async function split(
  stream: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ head: Buffer; rest: AsyncGenerator<Uint8Array> }> {
  const parts = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < size) {
    const next = await parts.next();
    if (next.done) throw new SealBrokenError();
    head = Buffer.concat([head, next.value]);
  }
  const rest = async function* () {
    yield head.subarray(size);
    yield* { [Symbol.asyncIterator]: () => parts };
  };
  return { head: head.subarray(0, size), rest: rest() };
}
