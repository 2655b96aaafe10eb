import type { ToolContent } from './tool-content.js';

/** A file for a result of a tool. */
export interface McpFile {
  /** Name that the page suggested. Never a path. */
  name: string;
  bytes: Uint8Array;
}

/** Maximum size of a file in a result, in bytes. Applications refuse larger results. */
export const MAX_RESULT_BYTES = 1024 * 1024;

/** Media types of files that are not text, by the ending of the name. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ pdf: 'application/pdf', zip: 'application/zip' },
};
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Reads a file. Stops and rejects if the file is too large for a result, or if it ends early. The message of
 * the error is for the model.
 *
 * @param size number of bytes that were announced
 */
export async function readWithin(parts: AsyncIterable<Uint8Array>, size = NaN): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  if (size > MAX_RESULT_BYTES) throw tooLarge(size);
  try {
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > MAX_RESULT_BYTES) break;
      read.push(part);
    }
  } catch {
    throw endedEarly();
  }
  if (bytes > MAX_RESULT_BYTES) throw tooLarge(bytes);
  if (bytes < size) throw endedEarly();
  return Buffer.concat(read);
}

function tooLarge(bytes: number): Error {
  const message = `The file has at least ${bytes} bytes. A tool returns at most ${MAX_RESULT_BYTES}.`;
  return new Error(`${message} A program fetches it over HTTP: GET {session}/downloads/{id}.`);
}

function endedEarly(): Error {
  return new Error(
    'The transfer ended early: the file was removed, or you may not have it any more. Call files again.',
  );
}

/** Returns a file as the content of a result: its name and size, and a text, a picture or a blob. */
export function fileContent(id: string, { name, bytes }: McpFile): ToolContent[] {
  const about: ToolContent = { type: 'text', text: `${JSON.stringify(name)}, ${bytes.length} bytes.` };
  const uri = `download:${encodeURIComponent(id)}`;
  const text = textOf(bytes);
  if (text !== undefined)
    return [about, { type: 'resource', resource: { uri, mimeType: 'text/plain', text } }];
  const blob = Buffer.from(bytes).toString('base64');
  const mimeType = typeOf(name);
  return [
    about,
    mimeType.startsWith('image/')
      ? { type: 'image', data: blob, mimeType }
      : { type: 'resource', resource: { uri, mimeType, blob } },
  ];
}

/** Returns the file as text. Undefined if it is not UTF-8, or contains a null character. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function typeOf(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined) ?? UNKNOWN_TYPE;
}
