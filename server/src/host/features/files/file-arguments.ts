import { MAX_FILES, type FileTarget, type MethodArgs, type OfferedFile } from 'cloud-browser/protocol';
import { fieldsOf, wrong } from '../../room/calls/arguments.js';

/** Maximum length of an id. The host's ids are UUIDs. */
const MAX_ID_CHARS = 64;
/**
 * Maximum length of a name and of a folder's path. File systems allow less. Names that are too long for a
 * file system are shortened later.
 */
const [MAX_NAME_CHARS, MAX_FOLDER_CHARS] = [1_024, 4_096];
/** Maximum number of files that a program may choose at once. */
const MAX_CHOSEN = 100;
/** Maximum wait of a program for a file chooser. Milliseconds. */
const MAX_CHOOSER_WAIT_MS = 15_000;
/** Maximum value of a date, in milliseconds since 1970. */
const MAX_DATE = 8.64e15;
/** Maximum coordinate, in pixels of the screen. */
const MAX_PLACE = 65_535;

/** Checks the untrusted arguments of `files.offer`. Throws `CallError`. */
export function offerOf([target, files]: readonly unknown[]): MethodArgs<'files.offer'> {
  if (!Array.isArray(files) || files.length > MAX_FILES)
    throw wrong('The second argument', `a list of at most ${MAX_FILES} files`);
  return [targetOf(target), files.map(fileOf)];
}

/** Checks the id of an upload, a chooser or a download. */
export function idOf([id]: readonly unknown[]): [string] {
  if (typeof id === 'string' && id.length <= MAX_ID_CHARS) return [id];
  throw wrong('The argument', 'the id of an upload, a chooser or a download');
}

/** Checks the argument of `files.stage`. */
export function stagedOf([file]: readonly unknown[]): MethodArgs<'files.stage'> {
  const { name, size } = fileOf(file);
  return [{ name, size }];
}

/** Checks the arguments of `files.choose`. */
export function choiceOf([ids, timeout]: readonly unknown[]): MethodArgs<'files.choose'> {
  const isId = (id: unknown): id is string => typeof id === 'string' && id.length <= MAX_ID_CHARS;
  if (!Array.isArray(ids) || ids.length > MAX_CHOSEN || !ids.every(isId))
    throw wrong('files', `a list of at most ${MAX_CHOSEN} ids of uploads or downloads`);
  if (!isWithin(timeout, MAX_CHOOSER_WAIT_MS))
    throw wrong('timeout', `a number of milliseconds from 0 to ${MAX_CHOOSER_WAIT_MS}`);
  return [ids, timeout];
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
