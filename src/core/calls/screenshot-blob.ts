import type { Screenshot } from '../../protocol/index.js';

/** Returns the picture of a screenshot as a `Blob`. */
export function blobOf({ format, data }: Screenshot): Blob {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return new Blob([bytes], { type: `image/${format}` });
}
