import { ArchiveError } from './archive-limits.js';

const MAGIC = 'Cr24';

/**
 * Returns the zip archive inside a crx file of version 2 or 3. Returns other files unchanged. Throws
 * {@link ArchiveError} if the crx header is damaged or of an unknown version.
 */
export function zipOf(bytes: Buffer): Buffer {
  if (bytes.toString('latin1', 0, 4) !== MAGIC) return bytes;
  if (bytes.length < 16) throw new ArchiveError('it is cut off.');
  const version = bytes.readUInt32LE(4);
  // Version 3: one header. Version 2: a public key and a signature, each with its length.
  const start =
    version === 3
      ? 12 + bytes.readUInt32LE(8)
      : version === 2
        ? 16 + bytes.readUInt32LE(8) + bytes.readUInt32LE(12)
        : NaN;
  if (!(start < bytes.length)) throw new ArchiveError('its crx header is damaged, or of an unknown version.');
  return bytes.subarray(start);
}
