import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ServiceError } from '../../service-error.js';

/** First bytes of every sealed file of a recording. The digit is the version of the format. */
const MAGIC = Buffer.from('cloud-browser recording 1\n');
const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Number of bytes that a chunk has in addition to its content. */
export const CHUNK_OVERHEAD = NONCE_BYTES + TAG_BYTES;
/**
 * Number of bytes before the first chunk: magic, salt, and an empty chunk with which a reader checks the key.
 */
export const HEAD_BYTES = MAGIC.length + SALT_BYTES + CHUNK_OVERHEAD;
/** Number of the empty chunk in the head. No other chunk has this number. */
const PROOF = 2 ** 48 - 1;

/** The file that a cipher belongs to. */
export interface SealedFile {
  /** Id of the recording. */
  id: string;
  name: string;
}

/**
 * Encrypts and decrypts the chunks of one file. The key of a file is derived from the service's key, the
 * salt, the recording's id and the file's name (HKDF, RFC 5869). So each file has its own key. A chunk is
 * authenticated with its number, so a chunk at another position is detected. Nonces are random. So a nonce is
 * not repeated if a file is truncated and then continued.
 */
export class RecordingCipher {
  private constructor(
    private readonly key: Buffer,
    private readonly salt: Buffer,
  ) {}

  /** Makes the cipher of a new file. */
  static create(key: Uint8Array, file: SealedFile): RecordingCipher {
    const salt = randomBytes(SALT_BYTES);
    return new RecordingCipher(derive(key, salt, file), salt);
  }

  /**
   * Returns the cipher of an existing file. Throws {@link ServiceError} if the head of the file was not
   * written with this key.
   */
  static open(key: Uint8Array, file: SealedFile, head: Buffer): RecordingCipher {
    const salt = head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
    if (head.length !== HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC))
      throw new ServiceError('err_recording_unreadable', file.id);
    const cipher = new RecordingCipher(derive(key, salt, file), salt);
    const proof = head.subarray(MAGIC.length + SALT_BYTES);
    if (!cipher.decrypt(PROOF, proof)) throw new ServiceError('err_recording_unreadable', file.id);
    return cipher;
  }

  /** Returns the first bytes of the file. */
  get head(): Buffer {
    return Buffer.concat([MAGIC, this.salt, this.encrypt(PROOF, Buffer.alloc(0))]);
  }

  /** Returns the chunk with this number and content. */
  encrypt(number: number, content: Uint8Array): Buffer {
    return Buffer.concat(this.encryptToPieces(number, content));
  }

  /**
   * Returns the same chunk as {@link encrypt}, but in pieces, so that the content is not copied into one
   * buffer. Only the next garbage collection frees the memory of such copies, perhaps minutes later.
   */
  encryptToPieces(number: number, content: Uint8Array): Buffer[] {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(numberBytes(number));
    return [nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()];
  }

  /** Returns the content of a chunk. Undefined if the chunk is damaged or has another number. */
  decrypt(number: number, chunk: Buffer): Buffer | undefined {
    if (chunk.length < CHUNK_OVERHEAD) return undefined;
    const end = chunk.length - TAG_BYTES;
    const nonce = chunk.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(numberBytes(number));
    decipher.setAuthTag(chunk.subarray(end));
    const content = decipher.update(chunk.subarray(NONCE_BYTES, end));
    try {
      decipher.final();
      return content;
    } catch {
      return undefined;
    }
  }
}

function derive(key: Uint8Array, salt: Uint8Array, { id, name }: SealedFile): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, Buffer.concat([MAGIC, Buffer.from(`${id}/${name}`)]), 32));
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(number, 0, 6);
  return bytes;
}
