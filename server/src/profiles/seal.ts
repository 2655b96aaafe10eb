import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CodedError } from '../platform/coded-error.js';

/** Starts every sealed profile; the digit is the version of the format. */
const MAGIC = Buffer.from('cloud-browser profile 1\n');
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Something is not a profile of this id sealed with this key, or not all of it. */
export class SealBrokenError extends CodedError {
  readonly code = 'err_seal_broken';

  constructor() {
    super('This is not a whole profile of this id, sealed with this key.');
  }
}

/**
 * Encrypts a profile: magic, nonce, ciphertext, tag. The id is sealed along, so that one profile cannot be put in the
 * place of another. Nonces are random; 96 bits suffice for 2^32 saves with one key (NIST SP 800-38D, 8.3).
 */
export function seal(content: Uint8Array, id: string, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(associated(id));
  const body = [cipher.update(content), cipher.final()];
  return Buffer.concat([MAGIC, nonce, ...body, cipher.getAuthTag()]);
}

/** Decrypts what {@link seal} made; nothing of it is given out before all of it is proven. Throws {@link SealBrokenError}. */
export function unseal(sealed: Buffer, id: string, key: Uint8Array): Buffer {
  const body = MAGIC.length + NONCE_BYTES;
  const end = sealed.length - TAG_BYTES;
  if (end < body || !sealed.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealBrokenError();
  const nonce = sealed.subarray(MAGIC.length, body);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(associated(id))
    .setAuthTag(sealed.subarray(end));
  const content = decipher.update(sealed.subarray(body, end));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    throw new SealBrokenError();
  }
}

function associated(id: string): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(id)]);
}
