import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes. A full disk may take a part of them without an error.
 *
 * @param place in the file. Without it, the bytes are appended
 */
export async function writeAll(file: FileHandle, data: Buffer, place?: number): Promise<void> {
  for (let at = 0; at < data.length;) {
    const to = place === undefined ? null : place + at;
    at += (await file.write(data, at, data.length - at, to)).bytesWritten;
  }
}
