/**
 * Maximum length of a name. Most file systems allow 255 bytes, but a program may add characters to a name.
 */
const MAX_NAME_BYTES = 200;
const MAX_EXTENSION_CHARS = 20;
/**
 * Maximum length of a folder's path. With its parent directories, the path stays below the system's limit of
 * 4096 bytes.
 */
const MAX_FOLDER_BYTES = 2_000;

/**
 * Characters that a name must not contain: path separators, control characters, and characters that reverse
 * the text direction. With the last kind, a name that ends in `.exe` could look like a name that ends in
 * `.txt`.
 */
const NEVER = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g;

/**
 * Returns the last part of an untrusted name, changed so that it is a valid file name without a path. The
 * result is never empty.
 */
export function safeName(name: string, fallback = 'file'): string {
  const last = wellFormed(name).split(/[/\\]/).filter(Boolean).at(-1) ?? '';
  const kept = last.replace(NEVER, '_').trim();
  return /^\.*$/.test(kept) ? fallback : shortened(kept);
}

/**
 * Returns the parts of a folder's path, each passed through {@link safeName}. Undefined if the path is too
 * long.
 */
export function safeFolder(path: string): string[] | undefined {
  const parts = wellFormed(path)
    .split(/[/\\]/)
    .filter(Boolean)
    .map((part) => safeName(part, '_'));
  return Buffer.byteLength(parts.join('/')) > MAX_FOLDER_BYTES ? undefined : parts;
}

/**
 * Shortens a name to {@link MAX_NAME_BYTES}. Keeps an extension of at most {@link MAX_EXTENSION_CHARS}
 * characters.
 */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION_CHARS ? name.slice(dot) : '';
  const letters = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(letters.join('') + extension) > MAX_NAME_BYTES) letters.pop();
  return letters.join('') + extension;
}

/** Replaces lone halves of surrogate pairs. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
