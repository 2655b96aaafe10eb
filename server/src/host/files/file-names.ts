/** Most file systems have room for 255 bytes; some of it is left for others who add to a name. */
const MAX_NAME_BYTES = 200;
const MAX_EXTENSION_CHARS = 20;
/** Below what the system takes for one path, 4096 bytes, with what stands before it. */
const MAX_FOLDER_BYTES = 2_000;

/**
 * What is no part of a name: separators of paths, control characters, and those that make a text run backwards, so that `exe.txt`
 * could be shown for `txt.exe`.
 */
const NEVER = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\]/g;

/** A name that any file can have, and that leads nowhere: the last part of what a stranger calls a file. Never empty. */
export function safeName(name: string, fallback = 'file'): string {
  const last = wellFormed(name).split(/[/\\]/).filter(Boolean).at(-1) ?? '';
  const kept = last.replace(NEVER, '_').trim();
  return /^\.*$/.test(kept) ? fallback : shortened(kept);
}

/** The parts of a folder's path, each a name as {@link safeName} makes it. Undefined when it is too long. */
export function safeFolder(path: string): string[] | undefined {
  const parts = wellFormed(path)
    .split(/[/\\]/)
    .filter(Boolean)
    .map((part) => safeName(part, '_'));
  return Buffer.byteLength(parts.join('/')) > MAX_FOLDER_BYTES ? undefined : parts;
}

/** Cut to what a file system takes; what tells the kind of the file stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION_CHARS ? name.slice(dot) : '';
  const letters = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(letters.join('') + extension) > MAX_NAME_BYTES) letters.pop();
  return letters.join('') + extension;
}

/** Half a character is none. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
