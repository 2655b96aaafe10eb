import { crc32, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { ArchiveError, ARCHIVE_LIMITS } from './archive-limits.js';
import { readZipDirectory, type ZipEntry } from './zip-directory.js';

const STORED = 0;
const DEFLATED = 8;
const inflate = promisify(inflateRaw);

/**
 * Returns the files of a zip archive by path. Never unpacks more bytes of a file than the archive declares.
 * Throws {@link ArchiveError}.
 */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = readZipDirectory(bytes).filter(({ isDirectory }) => !isDirectory);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > ARCHIVE_LIMITS.unpacked) {
    throw new ArchiveError(`it unpacks to more than ${ARCHIVE_LIMITS.unpacked / 1_048_576} MB.`);
  }
  const files = new Map<string, Buffer>();
  for (const entry of entries) files.set(entry.name, await unpack(bytes, entry));
  return files;
}

async function unpack(
  bytes: Buffer,
  { name, method, offset, packedSize, size, crc }: ZipEntry,
): Promise<Buffer> {
  const packed = bytes.subarray(offset, offset + packedSize);
  if (size > packedSize * ARCHIVE_LIMITS.ratio)
    throw new ArchiveError(`${name} is compressed more than ${ARCHIVE_LIMITS.ratio} times.`);
  const content = method === STORED ? packed : await inflated(name, method, packed, size);
  if (content.length !== size || crc32(content) !== crc) throw new ArchiveError(`${name} is damaged.`);
  return content;
}

async function inflated(name: string, method: number, packed: Buffer, size: number): Promise<Buffer> {
  if (method !== DEFLATED)
    throw new ArchiveError(`${name} is compressed with a method other than "deflate".`);
  try {
    return await inflate(packed, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw new ArchiveError(`${name} is damaged.`);
  }
}
