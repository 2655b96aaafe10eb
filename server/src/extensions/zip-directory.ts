import { ArchiveError, ARCHIVE_LIMITS } from './archive-limits.js';

/**
 * Directory entry of one file in a zip archive. The format is in APPNOTE.TXT 6.3.10, sections 4.3.7 to
 * 4.3.16.
 */
export interface ZipEntry {
  /** Checked path: relative, with forward slashes, without `.` or `..`. */
  name: string;
  isDirectory: boolean;
  /** Compression method: 0 is stored, 8 is deflated. */
  method: number;
  crc: number;
  packedSize: number;
  size: number;
  /** Position of the packed content in the archive. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 0x0001;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

/**
 * Reads the directory of an archive. Throws {@link ArchiveError} for links, encrypted files, paths that lead
 * outside, and entries that conflict with each other.
 */
export function readZipDirectory(bytes: Buffer): ZipEntry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const disks = bytes.readUInt16LE(end + 4) + bytes.readUInt16LE(end + 6);
  if (disks !== 0 || count !== bytes.readUInt16LE(end + 8))
    throw new ArchiveError('it is split over several files.');
  if (count > ARCHIVE_LIMITS.entries)
    throw new ArchiveError(`it contains more than ${ARCHIVE_LIMITS.entries} files.`);
  const entries: ZipEntry[] = [];
  let position = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    const { entry, next } = readCentral(bytes, position, end);
    entries.push(entry);
    position = next;
  }
  if (position !== end) throw new ArchiveError('its directory is damaged.');
  requireDistinct(entries);
  return entries;
}

function findEnd(bytes: Buffer): number {
  // A comment of up to 64 kB may follow the end record. Uses the last end record whose comment ends at the
  // end of the file.
  const first = Math.max(0, bytes.length - END_BYTES - 0xffff);
  for (let position = bytes.length - END_BYTES; position >= first; position--) {
    if (bytes.readUInt32LE(position) !== END_SIGNATURE) continue;
    if (position + END_BYTES + bytes.readUInt16LE(position + 20) === bytes.length) return position;
  }
  throw new ArchiveError('it is not a zip or crx archive.');
}

function readCentral(bytes: Buffer, position: number, end: number): { entry: ZipEntry; next: number } {
  if (position + CENTRAL_BYTES > end || bytes.readUInt32LE(position) !== CENTRAL_SIGNATURE) {
    throw new ArchiveError('its directory is damaged.');
  }
  const nameLength = bytes.readUInt16LE(position + 28);
  const rest = bytes.readUInt16LE(position + 30) + bytes.readUInt16LE(position + 32);
  const next = position + CENTRAL_BYTES + nameLength + rest;
  if (next > end) throw new ArchiveError('its directory is damaged.');
  const rawName = bytes.subarray(position + CENTRAL_BYTES, position + CENTRAL_BYTES + nameLength);
  const name = checkedName(rawName);
  const isDirectory = name.endsWith('/');
  requirePlain(bytes, position, name, isDirectory);
  const packedSize = bytes.readUInt32LE(position + 20);
  const offset = contentOffset(bytes, bytes.readUInt32LE(position + 42), rawName);
  if (offset + packedSize > end) throw new ArchiveError(`${name} is cut off.`);
  const entry = {
    name: isDirectory ? name.slice(0, -1) : name,
    isDirectory,
    method: bytes.readUInt16LE(position + 10),
    crc: bytes.readUInt32LE(position + 16),
    packedSize,
    size: bytes.readUInt32LE(position + 24),
    offset,
  };
  return { entry, next };
}

/** Refuses links, devices and encrypted files. */
function requirePlain(bytes: Buffer, position: number, name: string, isDirectory: boolean): void {
  if ((bytes.readUInt16LE(position + 8) & ENCRYPTED) !== 0) throw new ArchiveError(`${name} is encrypted.`);
  const madeBy = bytes.readUInt16LE(position + 4) >> 8;
  const type = (bytes.readUInt32LE(position + 38) >>> 16) & FILE_TYPE;
  if (madeBy !== UNIX || type === 0) return;
  if (type !== (isDirectory ? DIRECTORY : REGULAR))
    throw new ArchiveError(`${name} is a link or a special file.`);
}

/**
 * Returns the offset of a file's content, which follows its local header. Throws if the local header is
 * missing or contains another name.
 */
function contentOffset(bytes: Buffer, position: number, name: Buffer): number {
  const damaged = new ArchiveError('its directory does not match its content.');
  if (position + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(position) !== LOCAL_SIGNATURE)
    throw damaged;
  const nameEnd = position + LOCAL_BYTES + bytes.readUInt16LE(position + 26);
  if (!bytes.subarray(position + LOCAL_BYTES, nameEnd).equals(name)) throw damaged;
  return nameEnd + bytes.readUInt16LE(position + 28);
}

function checkedName(raw: Buffer): string {
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw new ArchiveError('a file name in it is not UTF-8.');
  }
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  const steps = path.split('/');
  // Refuses backslashes and colons, because they have a meaning in the paths of other systems. Refuses
  // control characters.
  const odd = raw.length > ARCHIVE_LIMITS.nameBytes || /[\\:\u0000-\u001f\u007f]/.test(path);
  if (odd || steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new ArchiveError('a file in it has an absolute path, a path that leads outside, or an odd name.');
  }
  if (steps.length > ARCHIVE_LIMITS.depth)
    throw new ArchiveError(`its folders are nested deeper than ${ARCHIVE_LIMITS.depth}.`);
  return name;
}

/** Refuses duplicate files, files that are also folders, and files that share content. */
function requireDistinct(entries: readonly ZipEntry[]): void {
  const files = new Set<string>();
  for (const { name, isDirectory } of entries) {
    if (isDirectory) continue;
    if (files.has(name)) throw new ArchiveError(`${name} is in it twice.`);
    files.add(name);
  }
  for (const { name } of entries) {
    const steps = name.split('/');
    for (let length = 1; length < steps.length; length++) {
      const folder = steps.slice(0, length).join('/');
      if (files.has(folder)) throw new ArchiveError(`${folder} is a file and a folder.`);
    }
  }
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset);
  let taken = 0;
  for (const { name, offset, packedSize } of inOrder) {
    if (offset < taken) throw new ArchiveError(`${name} shares its content with another file.`);
    taken = offset + packedSize;
  }
}
