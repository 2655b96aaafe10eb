import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes. Repeats the write, because a full disk may take only some of the bytes without an error.
 *
 * @param place position in the file. Without it, the bytes are appended
 */
export async function writeAll(file: FileHandle, data: Uint8Array, place?: number): Promise<void> {
  for (let at = 0; at < data.length;) {
    const to = place === undefined ? null : place + at;
    at += (await file.write(data, at, data.length - at, to)).bytesWritten;
  }
}

/** Appends all bytes of these pieces, in their order. */
export async function appendPieces(
  file: Pick<FileHandle, 'writev'>,
  pieces: readonly Buffer[],
): Promise<void> {
  for (let left = pieces; left.length > 0;) left = after(left, (await file.writev(left)).bytesWritten);
}

/** Returns the pieces without the first `bytes` bytes. */
function after(pieces: readonly Buffer[], bytes: number): Buffer[] {
  let skipped = bytes;
  const next = pieces.findIndex((piece) => {
    if (skipped < piece.length) return true;
    skipped -= piece.length;
    return false;
  });
  const [first, ...others] = next < 0 ? [] : pieces.slice(next);
  return first ? [first.subarray(skipped), ...others] : [];
}
