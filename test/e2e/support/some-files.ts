import { createHash } from 'node:crypto';
import type { LocalFile } from '../../../src/core/index.js';

/** Deterministic bytes, the same as in the page `files.html`. */
export function someBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(size);
  for (let index = 0; index < size; index++) bytes[index] = (index * 31 + (index >> 8)) % 251;
  return bytes;
}

/**
 * A file as a browser would have it.
 *
 * @param folder folder of the file, below the chosen folder
 */
export function someFile(name: string, size: number, folder?: string): LocalFile {
  const blob = new Blob([someBytes(size)]);
  return {
    ...{ name, size, lastModified: Date.UTC(2020, 1, 2) },
    ...(folder !== undefined && { webkitRelativePath: `${folder}/${name}` }),
    slice: (start, end) => blob.slice(start, end),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
