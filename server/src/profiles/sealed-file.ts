import type { FileHandle } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress, createGunzip } from 'node:zlib';
import { MAGIC, seal, SealBrokenError, unseal } from './seal.js';
import { MAGIC_1, unseal1 } from './seal-1.js';

/** A stream of bytes. */
export type Bytes = AsyncIterable<Uint8Array>;

/** Profile id and key that belong to a sealed file. */
export interface SealOwner {
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/**
 * Compresses and seals a stream, and passes the result to `write`. Holds only a few chunks in memory. Brotli
 * at quality 1 is five times faster than zlib at its lowest level, and compresses profiles (databases and
 * texts) better.
 */
export async function sealInto(
  content: Bytes,
  { id, key }: SealOwner,
  write: (sealed: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const compress = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  await through(content, compress, (packed) => write(seal(packed, id, key)));
}

/**
 * Decrypts and decompresses a sealed file of any format, and passes the content to `use`. Reads the file
 * twice, because the whole file must be authenticated before `use` receives any data. Throws
 * {@link SealBrokenError}.
 */
export async function unsealFrom(
  file: FileHandle,
  { id, key }: SealOwner,
  use: (content: Bytes) => Promise<void>,
): Promise<void> {
  const { buffer: magic } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
  const first = magic.equals(MAGIC_1);
  if (!first && !magic.equals(MAGIC)) throw new SealBrokenError();
  const read = () => file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
  const open = () => (first ? unseal1(file, id, key) : unseal(read(), id, key));
  const proof = open();
  while (!(await proof.next()).done) continue;
  await through(open(), first ? createGunzip() : createBrotliDecompress(), use);
}

/**
 * Passes a stream through a transformation to `use`. Settles when the source and `use` have both finished,
 * also after a failure. If both fail, throws the error of `use`, because `use` also receives the errors
 * of the source.
 */
async function through(source: Bytes, change: Duplex, use: (changed: Bytes) => Promise<void>): Promise<void> {
  const using = use(change as Bytes).catch((error: unknown) => {
    // `use` may fail before it reads, for example on a full disk. Nobody would then read from the source.
    change.destroy();
    throw error;
  });
  const [used, fed] = await Promise.allSettled([using, pipeline(source, change)]);
  for (const part of [used, fed]) if (part.status === 'rejected') throw part.reason;
}
