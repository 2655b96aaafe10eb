import { createDecipheriv } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { CIPHER, SealBrokenError, TAG_BYTES } from './seal.js';

/**
 * First bytes of a profile of the first format. This format is not divided into chunks: magic, nonce,
 * ciphertext, tag.
 */
export const MAGIC_1 = Buffer.from('cloud-browser profile 1\n');
const NONCE_BYTES = 12;

/**
 * Decrypts a profile of the first format. Its data is authenticated only at the end. So the caller must
 * decrypt the file twice. The first time, it only checks the file and discards the output. Throws
 * {@link SealBrokenError}.
 */
export async function* unseal1(file: FileHandle, id: string, key: Uint8Array): AsyncGenerator<Buffer> {
  const body = MAGIC_1.length + NONCE_BYTES;
  const end = (await file.stat()).size - TAG_BYTES;
  if (end < body) throw new SealBrokenError();
  const nonce = await bytesOf(file, MAGIC_1.length, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.concat([MAGIC_1, Buffer.from(id)]))
    .setAuthTag(await bytesOf(file, end, TAG_BYTES));
  if (end > body) {
    const sealed = file.createReadStream({ start: body, end: end - 1, autoClose: false });
    for await (const part of sealed as AsyncIterable<Buffer>) yield decipher.update(part);
  }
  try {
    yield decipher.final();
  } catch {
    throw new SealBrokenError();
  }
}

async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new SealBrokenError();
  return buffer;
}
