import type { FileHandle } from 'node:fs/promises';

/** Writes bytes at a position of a file. A nearly full disk may accept only some of them in one write. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
