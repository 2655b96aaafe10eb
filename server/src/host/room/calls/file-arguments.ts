import { MAX_FILES, type FileTarget, type MethodArgs, type OfferedFile } from 'cloud-browser/protocol';
import { CallError } from './call-error.js';

/** Ids of ours are UUIDs. */
const MAX_ID_CHARS = 64;
/** Longer than any file system has; what is left is cut. */
const [MAX_NAME_CHARS, MAX_FOLDER_CHARS] = [1_024, 4_096];
/** Milliseconds from 1970 that a date can be. */
const MAX_DATE = 8.64e15;
/** Pixels of the screen. */
const MAX_PLACE = 65_535;

/** The arguments of `files.offer`, which are not trusted. Throws {@link CallError}. */
export function offerOf([target, files]: readonly unknown[]): MethodArgs<'files.offer'> {
  if (!Array.isArray(files) || files.length > MAX_FILES)
    throw wrong('The second argument', `a list of at most ${MAX_FILES} files`);
  return [targetOf(target), files.map(fileOf)];
}

/** The id of an upload, a chooser or a download. */
export function idOf([id]: readonly unknown[]): [string] {
  if (typeof id === 'string' && id.length <= MAX_ID_CHARS) return [id];
  throw wrong('The argument', 'the id of an upload, a chooser or a download');
}

function targetOf(value: unknown): FileTarget {
  const { chooser, upload, x, y } = fieldsOf(value);
  if (typeof chooser === 'string') return { chooser };
  if (typeof upload === 'string') return { upload };
  if (isWithin(x, MAX_PLACE) && isWithin(y, MAX_PLACE)) return { x, y };
  throw wrong('The first argument', 'an object with chooser, upload, or x and y');
}

function fileOf(value: unknown): OfferedFile {
  const { name, size, folder, lastModified } = fieldsOf(value);
  if (typeof name !== 'string' || name.length > MAX_NAME_CHARS)
    throw wrong('name', `a text of at most ${MAX_NAME_CHARS} characters`);
  if (!Number.isSafeInteger(size) || !isWithin(size, Number.MAX_SAFE_INTEGER))
    throw wrong('size', 'a whole number of bytes');
  if (
    folder !== undefined &&
    folder !== null &&
    (typeof folder !== 'string' || folder.length > MAX_FOLDER_CHARS)
  )
    throw wrong('folder', `a text of at most ${MAX_FOLDER_CHARS} characters`);
  return {
    ...{ name, size },
    ...(typeof folder === 'string' && { folder }),
    ...(isWithin(lastModified, MAX_DATE) && { lastModified }),
  };
}

function isWithin(value: unknown, highest: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= highest;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function wrong(name: string, expected: string): CallError {
  return new CallError('err_invalid_parameter', `${name} must be ${expected}.`);
}
