import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive that {@link zip} makes; fields that are not given are as in a valid archive. */
export interface ZipFile {
  name: string;
  content?: string | Buffer;
  /** Unix mode, type included. */
  mode?: number;
  /** False values for the entry in the archive's directory. */
  claimedSize?: number;
  flags?: number;
  method?: number;
  localName?: string;
}

/** Makes a zip archive, valid or with false entries. */
export function zip(files: readonly ZipFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const { name, content = '', mode = 0o100644, flags = 0, method = 8, localName = name } = file;
    const bytes = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const size = file.claimedSize ?? bytes.length;
    const shared = Buffer.alloc(22);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(size, 18);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    shared.copy(header, 4);
    header.writeUInt16LE(Buffer.byteLength(localName), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE((3 << 8) | 20, 4);
    shared.copy(entry, 6);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    local.push(header, Buffer.from(localName), packed);
    central.push(entry, Buffer.from(name));
    offset += header.length + Buffer.byteLength(localName) + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** The manifest of an extension that does nothing. */
export const MANIFEST: ZipFile = {
  name: 'manifest.json',
  content: JSON.stringify({ manifest_version: 3, name: 'Test', version: '1.0' }),
};
